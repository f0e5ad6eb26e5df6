#include "jailer/announced.h"

#include <span>

#include "jailer/protocol.h"
#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

Announced no_jailer(base::Error error) {
  Announced announced;
  announced.error = std::move(error);
  return announced;
}

}  // namespace

base::Result<Announced> receive_announcement(int keeper) {
  Announcement message;
  auto received = sys::receive_message(keeper, std::as_writable_bytes(std::span(&message, 1)));
  if (!received && received.error().errno_value == EMSGSIZE) {
    // Its socket is lost on the way, which ends the jailer: the keeper will have another.
    return no_jailer({"receive_jailer", base::Code::kExhausted, EMFILE, "no descriptor is free in the daemon"});
  }
  if (!received && received.error().errno_value == EAGAIN) return std::unexpected(received.error());
  if (!received || received->size != sizeof message) {
    return base::failure(base::Code::kInternal, kKeeperDied, "the jailer's keeper has ended");
  }
  if (const std::string step = message.failure.step.str(); !step.empty()) {
    Announced announced =
        no_jailer({step, base::Code::kSystem, message.failure.errno_value, message.failure.context.str()});
    announced.failed_in_a_row = message.failed_in_a_row;
    announced.pause = std::chrono::milliseconds(message.pause_ms);
    return announced;
  }
  if (received->fds.size() != kAnnouncedFds) {
    return no_jailer({"receive_jailer", base::Code::kInternal, EPROTO, "its descriptors are missing"});
  }
  Announced announced;
  announced.serving = Serving{message.generation, message.pid, std::move(received->fds[kJailerSocket]),
                              std::move(received->fds[kJailerPidfd])};
  announced.cgroup_driver = message.cgroup_v2 != 0 ? "v2" : "v1";
  announced.cgroup_root = message.cgroup_root.str();
  return announced;
}

}  // namespace outrigger::jailer
