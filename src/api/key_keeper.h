#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "api/message.h"
#include "blocking/sleeper.h"
#include "blocking/thread.h"
#include "store/idempotency_store.h"

namespace outrigger::api {

// Answers under an Idempotency-Key: the first request with it is worked on, every further one with the same body gets
// the first one's answer, from whichever daemon shares the store. Single-threaded.
class KeyKeeper {
 public:
  KeyKeeper(const boost::asio::any_io_executor& executor, std::unique_ptr<store::IdempotencyStore> store);

  struct Use {
    std::string scope;  // what the key is unique within: route and tenant
    std::string key;
    std::string body;                           // what another request must be equal to
    std::chrono::milliseconds longest{60'000};  // how long working on it may take
  };

  // What `work` answers, or what the first request got. An answer that another try may better (a 429, a 503, a fault of
  // ours) is not kept.
  boost::asio::awaitable<Response> answer(Use use, std::function<boost::asio::awaitable<Response>()> work);

  // Forgets old keys from time to time; to be spawned once, and waited for.
  boost::asio::awaitable<void> forget();
  void stop();

 private:
  boost::asio::awaitable<Response> work_and_keep(std::string key, std::string claimant,
                                                 std::function<boost::asio::awaitable<Response>()> work);

  boost::asio::any_io_executor executor_;
  std::unique_ptr<store::IdempotencyStore> store_;
  blocking::Sleeper sleeper_;
  blocking::Thread thread_;
};

}  // namespace outrigger::api
