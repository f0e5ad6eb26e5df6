#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <vector>

#include "base/unique_fd.h"
#include "jailer/client.h"
#include "jailer/protocol.h"

namespace outrigger::jailer {

// One call waiting for its reply; the timer never expires, it is cancelled when the reply is there.
struct Client::Pending {
  explicit Pending(const boost::asio::any_io_executor& executor)
      : arrived(executor, boost::asio::steady_timer::time_point::max()) {}
  boost::asio::steady_timer arrived;
  bool answered = false;
  bool lost = false;  // with the jailer that was asked
  Reply reply;
  std::vector<base::UniqueFd> fds;
};

}  // namespace outrigger::jailer
