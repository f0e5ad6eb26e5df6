#include "jailer/client.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cmath>
#include <span>
#include <vector>

#include "jail/cgroup_driver.h"
#include "jailer/pending_call.h"
#include "jailer/protocol.h"
#include "sys/message_socket.h"
#include "sys/process.h"

namespace outrigger::jailer {
namespace asio = boost::asio;
namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

std::uint64_t quota_micros(double cpu_cores) {
  return static_cast<std::uint64_t>(std::llround(cpu_cores * static_cast<double>(jail::kCpuPeriodMicros)));
}

base::Error jailer_died() {
  return {kJailerDied, base::Code::kSystem, 0, "the jailer process has ended, and all jails with it"};
}

base::Status status_of(const Failure& failure) {
  if (failure.step.str().empty()) return {};
  const base::Code code = failure.step.str() == "host_ids" ? base::Code::kExhausted : base::Code::kSystem;
  return std::unexpected(base::Error{failure.step.str(), code, failure.errno_value, failure.context.str()});
}

}  // namespace

Client::Client(const asio::any_io_executor& executor, Started started)
    : executor_(executor),
      started_(std::move(started)),
      keeper_(executor, started_.keeper.release()),
      socket_(executor, started_.jailer.socket.release()) {
  keeper_.non_blocking(true);
  socket_.non_blocking(true);
}

Client::~Client() = default;

base::Status Client::send(const Request& request) {
  if (!alive_) return std::unexpected(jailer_died());
  // The socket's buffer holds hundreds of requests and no more than a few per slot are ever under way, so a full one is
  // a jailer that has stopped reading.
  const base::Status sent = sys::send_message(socket_.native_handle(), std::as_bytes(std::span(&request, 1)));
  if (!sent && (sent.error().errno_value == EPIPE || sent.error().errno_value == ECONNRESET)) {
    hear_of_death();  // run() will do the rest
    return std::unexpected(jailer_died());
  }
  return sent;
}

bool Client::is_current(std::uint64_t handle) const { return is_of_generation(handle, started_.jailer.generation); }

// Not by the socket: a child of the jailer's that was just cloned holds its other end for a moment longer. The kernel
// makes the pidfd readable before it lets any child of the dead process notice.
bool Client::lives(std::uint64_t handle) const {
  return alive_ && is_current(handle) && !sys::has_events(started_.jailer.pidfd.get());
}

asio::awaitable<base::Result<std::shared_ptr<Client::Pending>>> Client::call(Request request) {
  auto pending = std::make_shared<Pending>(executor_);
  request.sequence = next_sequence_++;
  pending_.emplace(request.sequence, pending);
  if (const base::Status sent = send(request); !sent) {
    pending_.erase(request.sequence);
    co_return std::unexpected(sent.error());
  }
  // Never abandoned half-way: a jail built for nobody would hold its slot for ever.
  while (!pending->answered && !pending->lost) co_await pending->arrived.async_wait(kTuple);
  pending_.erase(request.sequence);
  if (!pending->answered) co_return std::unexpected(jailer_died());
  co_return pending;
}

asio::awaitable<base::Result<Jail>> Client::build(std::string job_id, std::uint32_t runtime, model::Limits limits,
                                                  Fork fork, Stdio stdio) {
  Request request;
  request.kind = RequestKind::kBuild;
  request.job_id.set(job_id);
  request.runtime = runtime;
  request.from_template = fork != Fork::kNo ? 1 : 0;
  request.terminal = stdio == Stdio::kTerminal ? 1 : 0;
  request.warm_up = fork == Fork::kWarmUp ? 1 : 0;
  request.pids = limits.pids;
  request.memory_bytes = limits.memory_bytes;
  request.tmpfs_bytes = limits.tmpfs_bytes;
  request.cpu_quota_micros = quota_micros(limits.cpu_cores);
  const auto answer = co_await call(request);
  if (!answer) co_return std::unexpected(answer.error());
  Pending& pending = **answer;
  if (const base::Status status = status_of(pending.reply.failure); !status) co_return std::unexpected(status.error());
  auto& fds = pending.fds;
  if (fds.size() <= kFirstGroupDir) {
    kill(pending.reply.handle);
    co_return base::failure(base::Code::kExhausted, "receive_jail", "no descriptor is free in the daemon");
  }
  Jail jail{pending.reply.handle,    std::move(job_id),      std::move(fds[kControl]),
            std::move(fds[kLaunch]), std::move(fds[kStdin]), std::move(fds[kStdout]),
            std::move(fds[kStderr]), std::move(fds[kPidfd]), {},
            started_.cgroup_root};
  jail.cgroup_path += "/" + jail.job_id;
  jail.group.version = started_.cgroup_driver == "v2" ? sys::CgroupVersion::kV2 : sys::CgroupVersion::kV1;
  for (std::size_t i = kFirstGroupDir; i < fds.size(); ++i) jail.group.dirs.push_back(std::move(fds[i]));
  co_return jail;
}

void Client::arm(std::uint64_t handle, double cpu_cores) {
  if (!is_current(handle)) return;
  Request request;
  request.kind = RequestKind::kArm;
  request.handle = handle;
  request.cpu_quota_micros = quota_micros(cpu_cores);
  (void)send(request);  // a jailer that is gone has taken its jails with it
}

void Client::kill(std::uint64_t handle) {
  if (!is_current(handle)) return;
  Request request;
  request.kind = RequestKind::kKill;
  request.handle = handle;
  (void)send(request);  // a jailer that is gone has taken its jails with it
}

void Client::discard(std::uint64_t handle) {
  if (!is_current(handle)) return;
  Request request;
  request.kind = RequestKind::kDestroy;
  request.sequence = next_sequence_++;  // its reply finds nobody
  request.handle = handle;
  (void)send(request);
}

asio::awaitable<base::Status> Client::destroy(std::uint64_t handle) {
  // Its keeper has removed what was left of it before it started the jailer that serves now.
  if (!is_current(handle)) co_return base::Status{};
  Request request;
  request.kind = RequestKind::kDestroy;
  request.handle = handle;
  const auto answer = co_await call(request);
  if (!answer) co_return std::unexpected(answer.error());
  co_return status_of((*answer)->reply.failure);
}

void Client::read_replies() {
  for (;;) {
    Reply reply;
    auto received = sys::receive_message(socket_.native_handle(), std::as_writable_bytes(std::span(&reply, 1)));
    if (!received && received.error().errno_value == EAGAIN) return;
    // A reply whose descriptors did not fit (EMSGSIZE: none free here) is still a reply.
    const bool cut = !received && received.error().errno_value == EMSGSIZE;
    if (!cut && (!received || received->size != sizeof reply)) return hear_of_death();
    const auto found = pending_.find(reply.sequence);
    if (found == pending_.end()) continue;
    found->second->reply = reply;
    if (received) found->second->fds = std::move(received->fds);
    found->second->answered = true;
    found->second->arrived.cancel();
  }
}

}  // namespace outrigger::jailer
