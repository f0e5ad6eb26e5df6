#include "run/prime.h"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <span>

#include "jail/plan.h"
#include "run/launch_payload.h"
#include "run/readable.h"
#include "sys/message_socket.h"
#include "sys/process.h"

namespace outrigger::run {
namespace asio = boost::asio;
namespace {

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using asio::posix::stream_descriptor;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
// An interpreter starts in a tenth of a second; a machine may be busy.
constexpr auto kPrimeTimeout = 30s;

// Lends a descriptor to the event loop and takes it back: it must outlive the wait, and stay the jail's.
class Borrowed {
 public:
  Borrowed(const asio::any_io_executor& executor, base::UniqueFd& owner)
      : owner_(owner), descriptor_(executor, owner.release()) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() { owner_.reset(descriptor_.release()); }
  stream_descriptor& operator*() { return descriptor_; }

 private:
  base::UniqueFd& owner_;
  stream_descriptor descriptor_;
};

base::Result<base::UniqueFd> read_ready(int control) {
  jail::Report report;
  auto received = sys::receive_message(control, std::as_writable_bytes(std::span(&report, 1)));
  if (!received) return std::unexpected(received.error());
  if (received->size != sizeof report) return base::failure(base::Code::kInternal, "await_ready", "the jail has ended");
  if (report.kind == jail::ReportKind::kFailed)
    return base::system_error(jail::step_name(report.step), {}, report.errno_value);
  if (report.kind != jail::ReportKind::kReady || received->fds.size() != 1) {
    return base::failure(base::Code::kInternal, "await_ready", "the jail ended before it was ready");
  }
  return std::move(received->fds.front());
}

asio::awaitable<base::Result<base::UniqueFd>> await_ready(base::UniqueFd& control) {
  const auto executor = co_await asio::this_coro::executor;
  Borrowed borrowed(executor, control);
  asio::steady_timer timer(executor, kPrimeTimeout);
  auto waited = co_await (wait_readable(*borrowed) || timer.async_wait(kTuple));
  if (waited.index() == 1) co_return base::system_error("await_ready", {}, ETIMEDOUT);
  co_return read_ready((*borrowed).native_handle());
}

asio::awaitable<base::Status> start_interpreter(base::UniqueFd& launch, const model::Runtime& runtime,
                                                std::chrono::milliseconds cpu_time) {
  const auto executor = co_await asio::this_coro::executor;
  const LaunchPayload payload(runtime, cpu_time);
  Borrowed borrowed(executor, launch);
  asio::steady_timer timer(executor, kPrimeTimeout);
  co_await asio::async_write(*borrowed, payload.buffers(), kTuple);
  std::array<char, 1> word{};
  const asio::mutable_buffer target = asio::buffer(word);
  auto waited = co_await (asio::async_read(*borrowed, target, kTuple) || timer.async_wait(kTuple));
  if (waited.index() == 1) co_return base::system_error("prime", runtime.name, ETIMEDOUT);
  if (word[0] != jail::kPrimed) {
    co_return base::failure(base::Code::kInternal, "prime", runtime.name + "'s interpreter ended before it was ready");
  }
  co_return base::Status{};
}

}  // namespace

asio::awaitable<base::Result<PrimedJail>> prime(jailer::Jail jail, const model::Runtime& runtime,
                                                std::chrono::milliseconds cpu_time) {
  PrimedJail primed{std::move(jail), {}};
  auto listener = co_await await_ready(primed.jail.control);
  if (!listener) co_return std::unexpected(listener.error());
  primed.listener = std::move(*listener);
  if (runtime.strategy == model::Strategy::kPreload) {
    const base::Status started = co_await start_interpreter(primed.jail.launch, runtime, cpu_time);
    if (!started) co_return std::unexpected(started.error());
  }
  if (!is_untouched(primed))
    co_return base::failure(base::Code::kInternal, "prime", runtime.name + ": the jail did not stay whole");
  co_return primed;
}

bool is_untouched(const PrimedJail& primed) {
  return !sys::has_events(primed.jail.pidfd.get()) && !sys::has_events(primed.jail.control.get()) &&
         !sys::has_events(primed.listener.get());
}

}  // namespace outrigger::run
