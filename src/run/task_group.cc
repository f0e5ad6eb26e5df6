#include "run/task_group.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

namespace outrigger::run {
namespace asio = boost::asio;

TaskGroup::TaskGroup(const asio::any_io_executor& executor)
    : executor_(executor), idle_(executor, asio::steady_timer::time_point::max()) {}

void TaskGroup::spawn(asio::awaitable<void> task) {
  ++running_;
  asio::co_spawn(executor_, std::move(task), [this](const std::exception_ptr& failure) {
    if (failure) std::rethrow_exception(failure);
    if (--running_ == 0) idle_.cancel();
  });
}

asio::awaitable<void> TaskGroup::join() {
  while (running_ > 0) co_await idle_.async_wait(asio::as_tuple(asio::use_awaitable));
}

}  // namespace outrigger::run
