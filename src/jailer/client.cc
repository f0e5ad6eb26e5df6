#include "jailer/client.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cmath>
#include <span>
#include <vector>

#include "base/log.h"
#include "jail/cgroup_driver.h"
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

base::Error jailer_gone() { return {"jailer", base::Code::kInternal, 0, "the jailer process has ended"}; }

base::Status status_of(const Failure& failure) {
  if (failure.step.str().empty()) return {};
  const base::Code code = failure.step.str() == "host_ids" ? base::Code::kExhausted : base::Code::kSystem;
  return std::unexpected(base::Error{failure.step.str(), code, failure.errno_value, failure.context.str()});
}

}  // namespace

// One call waiting for its reply; the timer never expires, it is cancelled when the reply is there.
struct Client::Pending {
  explicit Pending(const asio::any_io_executor& executor) : arrived(executor, asio::steady_timer::time_point::max()) {}
  asio::steady_timer arrived;
  bool answered = false;
  Reply reply;
  std::vector<base::UniqueFd> fds;
};

Client::Client(const asio::any_io_executor& executor, Started started)
    : executor_(executor), started_(std::move(started)), socket_(executor, started_.socket.release()) {
  socket_.non_blocking(true);
}

Client::~Client() = default;

base::Status Client::send(const Request& request) {
  if (!alive_) return std::unexpected(jailer_gone());
  // The socket's buffer holds hundreds of requests and no more than a few per slot are ever under way, so a full one is
  // a jailer that has stopped reading.
  return sys::send_message(socket_.native_handle(), std::as_bytes(std::span(&request, 1)));
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
  while (!pending->answered && alive_) co_await pending->arrived.async_wait(kTuple);
  pending_.erase(request.sequence);
  if (!pending->answered) co_return std::unexpected(jailer_gone());
  co_return pending;
}

asio::awaitable<base::Result<Jail>> Client::build(std::string job_id, std::uint32_t runtime, model::Limits limits,
                                                  Fork fork) {
  Request request;
  request.kind = RequestKind::kBuild;
  request.job_id.set(job_id);
  request.runtime = runtime;
  request.from_template = fork != Fork::kNo ? 1 : 0;
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
  Request request;
  request.kind = RequestKind::kArm;
  request.handle = handle;
  request.cpu_quota_micros = quota_micros(cpu_cores);
  (void)send(request);  // a jailer that is gone has taken its jails with it
}

void Client::kill(std::uint64_t handle) {
  Request request;
  request.kind = RequestKind::kKill;
  request.handle = handle;
  (void)send(request);  // a jailer that is gone has taken its jails with it
}

void Client::discard(std::uint64_t handle) {
  Request request;
  request.kind = RequestKind::kDestroy;
  request.sequence = next_sequence_++;  // its reply finds nobody
  request.handle = handle;
  (void)send(request);
}

asio::awaitable<base::Status> Client::destroy(std::uint64_t handle) {
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
    if (!cut && (!received || received->size != sizeof reply)) {
      alive_ = false;
      return;
    }
    const auto found = pending_.find(reply.sequence);
    if (found == pending_.end()) continue;
    found->second->reply = reply;
    if (received) found->second->fds = std::move(received->fds);
    found->second->answered = true;
    found->second->arrived.cancel();
  }
}

void Client::fail_all() {
  for (auto& [sequence, pending] : pending_) pending->arrived.cancel();
}

asio::awaitable<void> Client::run() {
  while (alive_) {
    const auto [error] = co_await socket_.async_wait(asio::posix::descriptor_base::wait_read, kTuple);
    if (error) break;
    read_replies();
  }
  alive_ = false;
  fail_all();
}

asio::awaitable<void> Client::close() {
  alive_ = false;
  boost::system::error_code ignored;
  socket_.close(ignored);
  fail_all();
  if (!started_.pidfd) co_return;
  asio::posix::stream_descriptor pidfd(executor_, started_.pidfd.release());
  // Readiness alone may be a stale event of a descriptor closed before: the end is what reaping says.
  for (;;) {
    const auto [error] = co_await pidfd.async_wait(asio::posix::descriptor_base::wait_read, kTuple);
    const auto reaped = sys::reap(pidfd.native_handle());
    if (error || !reaped || *reaped) break;
  }
}

}  // namespace outrigger::jailer
