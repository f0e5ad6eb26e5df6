#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "api/server.h"
#include "base/unique_fd.h"
#include "outriggerd/stores.h"
#include "outriggerd/tenancy.h"
#include "pool/make_pool.h"

namespace outrigger::outriggerd {

// The daemon once it serves: the event loop, and the two ways it ends.
//  - SIGTERM or SIGINT: no connection and no job is taken any more, running jobs get `grace` and are then cancelled,
//    every one is answered; exit status 0. A second signal ends process and jails at once; exit status 1.
//  - The jailer's keeper dies (jailer/keeper.h): nobody could start another jailer, since this process has no right to.
//    It ends as by a signal, but with exit status 1, for a supervisor to start it afresh.
// A jailer that dies is no end: its jobs are answered, and the keeper starts another (pool/).
class Daemon {
 public:
  // What it works with, started.
  struct Parts {
    std::unique_ptr<pool::Pool> pool;
    std::unique_ptr<Stores> stores;
    std::unique_ptr<Tenancy> tenancy;
  };

  // `context` outlives the daemon. `keeper_pidfd` is readable when the jailer's keeper has ended.
  Daemon(boost::asio::io_context& context, Parts parts, boost::asio::ip::tcp::acceptor listener, api::Options options,
         base::UniqueFd keeper_pidfd, std::chrono::milliseconds grace);

  // Serves until one of the two; the exit status.
  int run();

 private:
  boost::asio::awaitable<void> watch_signals();
  boost::asio::awaitable<void> watch_keeper();
  boost::asio::awaitable<void> shut_down(std::chrono::milliseconds grace, int exit_status);

  [[nodiscard]] api::Services services();

  boost::asio::io_context& context_;
  std::unique_ptr<Tenancy> tenancy_;
  std::unique_ptr<Stores> stores_;  // outlives the pool, which tells it of jobs
  std::unique_ptr<pool::Pool> pool_;
  api::Server server_;
  boost::asio::signal_set signals_;
  boost::asio::posix::stream_descriptor keeper_;
  std::chrono::milliseconds grace_;
  int exit_status_ = 0;
  bool ending_ = false;
};

}  // namespace outrigger::outriggerd
