#include "jailer/server.h"

#include <poll.h>

#include <map>
#include <span>

#include "base/log.h"
#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

class Server {
 public:
  Server(int socket, JailTable& jails) : socket_(socket), jails_(jails) {}

  void run() {
    while (wait()) {
      for (JailTable::Forked& one : jails_.take_forked()) answer_built(one.sequence, one.built);
      for (const JailTable::Destroyed& one : jails_.progress()) answer_destroyed(one);
    }
    jails_.shut_down();
  }

 private:
  // False once the daemon is gone.
  bool wait() {
    bool retry_soon = false;
    std::vector<pollfd> waits{{socket_, POLLIN, 0}};
    for (const int fd : jails_.descriptors(retry_soon)) waits.push_back({fd, POLLIN, 0});
    if (::poll(waits.data(), waits.size(), retry_soon ? 1 : -1) < 0 && errno != EINTR) return false;
    return waits.front().revents == 0 || take_request();
  }

  bool take_request() {
    Request request;
    const auto received = sys::receive_message(socket_, std::as_writable_bytes(std::span(&request, 1)));
    if (!received || received->size == 0) return false;
    if (received->size != sizeof request) {
      base::log(base::Level::kError, "jailer_request_refused", {{"size", std::to_string(received->size)}});
      return false;
    }
    switch (request.kind) {
      case RequestKind::kBuild: return build(request);
      case RequestKind::kKill: jails_.kill(request.handle); return true;
      case RequestKind::kArm: jails_.arm(request); return true;
      case RequestKind::kDestroy: return destroy(request);
    }
    return false;
  }

  bool build(const Request& request) {
    auto built = jails_.build(request);
    if (built && !*built) return true;  // a template's to make
    if (!built) return answer_built(request.sequence, std::unexpected(built.error()));
    return answer_built(request.sequence, std::move(**built));
  }

  bool answer_built(std::uint32_t sequence, const base::Result<JailTable::Built>& built) {
    Reply reply{RequestKind::kBuild, sequence, {}, 0};
    if (!built) {
      set_failure(reply.failure, built.error());
      return send(reply, {});
    }
    reply.handle = built->handle;
    const JailEnds& ends = built->ends;
    std::vector<int> fds{ends.control.get(),    ends.launch.get(),     ends.stdin_end.get(),
                         ends.stdout_end.get(), ends.stderr_end.get(), built->pidfd.get()};
    for (const base::UniqueFd& dir : built->group.dirs) fds.push_back(dir.get());
    return send(reply, fds);
  }

  bool destroy(const Request& request) {
    if (jails_.begin_destroy(request.handle)) {
      waiting_[request.handle] = request.sequence;
      return true;
    }
    Reply reply{RequestKind::kDestroy, request.sequence, {}, request.handle};
    set_failure(reply.failure, {"destroy", base::Code::kNotFound, ENOENT, "no such jail"});
    return send(reply, {});
  }

  void answer_destroyed(const JailTable::Destroyed& one) {
    const auto found = waiting_.find(one.handle);
    if (found == waiting_.end()) return;
    Reply reply{RequestKind::kDestroy, found->second, {}, one.handle};
    if (!one.removed) set_failure(reply.failure, one.removed.error());
    waiting_.erase(found);
    send(reply, {});
  }

  bool send(const Reply& reply, std::span<const int> fds) {
    const auto sent = sys::send_message(socket_, std::as_bytes(std::span(&reply, 1)), fds);
    return sent.has_value();
  }

  int socket_;
  JailTable& jails_;
  std::map<std::uint64_t, std::uint32_t> waiting_;  // jail being destroyed -> sequence of the request
};

}  // namespace

void set_failure(Failure& failure, const base::Error& error) {
  failure.errno_value = error.errno_value;
  failure.step.set(error.step);
  failure.context.set(error.context);
}

void serve(int socket, JailTable& jails) { Server(socket, jails).run(); }

}  // namespace outrigger::jailer
