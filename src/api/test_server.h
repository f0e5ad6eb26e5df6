#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <cstdint>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "api/server.h"
#include "api/test_service.h"

namespace outrigger::api {

// A server on a free port of the loopback with its event loop in a thread of its own, for tests that talk to it.
class TestServer {
 public:
  explicit TestServer(Options options = {}) : context_(1) {
    options.version = "test";
    auto listener = httpd::open_listener(context_, "127.0.0.1", 0);
    port_ = listener->local_endpoint().port();
    server_.emplace(context_, std::move(*listener), Services{service}, std::move(options));
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  ~TestServer() {
    if (!thread_.joinable()) return;
    on_loop([this] { service.cancel_waiting(run::CancelReason::kShuttingDown); });
    drain(std::chrono::milliseconds{500});
    boost::asio::post(context_, [this] { work_.reset(); });
    thread_.join();
  }

  void start() {
    server_->start();
    thread_ = std::thread([this] { context_.run(); });
  }
  // Runs `action` on the server's thread and waits for it.
  template <typename Action>
  void on_loop(Action action) {
    std::promise<void> done;
    boost::asio::post(context_, [&] {
      action();
      done.set_value();
    });
    done.get_future().wait();
  }
  void stop() {
    on_loop([this] { server_->stop(); });
  }
  void drain(std::chrono::milliseconds limit) {
    stop();
    auto done = boost::asio::co_spawn(context_, server_->drained(limit), boost::asio::use_future);
    done.wait();
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  boost::asio::io_context context_;

 public:
  TestService service;

 private:
  std::optional<Server> server_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(context_);
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace outrigger::api
