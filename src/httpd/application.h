#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <expected>
#include <functional>
#include <string>

#include "httpd/message.h"

namespace outrigger::httpd {

class Exchange;

// What the server itself finds wrong with a request, or with whoever serves it.
enum class Fault {
  kBadRequest,     // it breaks HTTP's rules
  kTimeout,        // it did not arrive in time
  kHeadTooLarge,   //
  kBodyTooLarge,   //
  kBusy,           // too many connections, or too many large requests, at a time
  kHandlerFailed,  // whoever served it threw, or forgot to answer
};

// What is to be done with a request whose head is known.
struct Admission {
  std::size_t max_body = 0;  // bytes; more is Fault::kBodyTooLarge
  // Answers it, once its body is there. The exchange outlives the call.
  std::function<boost::asio::awaitable<void>(Exchange&)> serve;
};

// Who answers the requests that a server reads. Single-threaded.
class Application {
 public:
  Application() = default;
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;
  virtual ~Application() = default;

  // Decides from the head alone, before a byte of the body is read: who serves the request, or its refusal.
  virtual std::expected<Admission, Response> admit(const RequestHead& head) = 0;
  // How a fault is told. `head`: of the request, as far as it was read; empty where none was.
  virtual Response refuse(const RequestHead& head, Fault fault, const std::string& message) = 0;
  // An answer is about to be sent.
  virtual void answered(const RequestHead& head, int status) = 0;
};

}  // namespace outrigger::httpd
