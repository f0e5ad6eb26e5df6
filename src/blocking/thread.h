#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <type_traits>
#include <utility>

namespace outrigger::blocking {

// One thread for calls that wait, so that the event loop does not: databases, queues, other people's servers. Calls are
// done one after the other, in the order they were made.
class Thread {
 public:
  Thread() : pool_(1) {}
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  // Waits for the calls that were made; nobody may be waiting for their results any more.
  ~Thread() { join(); }

  // Runs `work` there and resolves with what it returns, on the caller's executor, which must go on being run.
  template <typename Work>
  auto call(Work work) {
    using Result = std::invoke_result_t<Work&>;
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>&, void(Result)>(
        [this](auto handler, Work job) {
          boost::asio::post(pool_, [handler = std::move(handler), job = std::move(job)]() mutable {
            Result result = job();
            const auto executor = boost::asio::get_associated_executor(handler);
            boost::asio::post(executor, [handler = std::move(handler), result = std::move(result)]() mutable {
              std::move(handler)(std::move(result));
            });
          });
        },
        boost::asio::use_awaitable, std::move(work));
  }

  void join() { pool_.join(); }

 private:
  boost::asio::thread_pool pool_;
};

}  // namespace outrigger::blocking
