#include "httpd/connection_set.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <vector>

namespace outrigger::httpd {

void ConnectionSet::remove(Member& member) {
  members_.erase(&member);
  if (members_.empty()) emptied_.cancel();
}

bool ConnectionSet::evict_idle() {
  Member* longest = nullptr;
  for (Member* each : members_) {
    if (!each->idle()) continue;
    if (longest == nullptr || each->idle_since() < longest->idle_since()) longest = each;
  }
  if (longest != nullptr) longest->abort();
  return longest != nullptr;
}

void ConnectionSet::finish_all() {
  for (Member* each : members_) each->finish();
}

void ConnectionSet::abort_all() {
  for (Member* each : members_) each->abort();
}

boost::asio::awaitable<void> ConnectionSet::wait_empty(std::chrono::milliseconds limit) {
  if (members_.empty()) co_return;
  emptied_.expires_after(limit);
  co_await emptied_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
}

bool ConnectionSet::reserve(std::size_t bytes) {
  if (bytes > max_buffered_ - buffered_) return false;
  buffered_ += bytes;
  return true;
}

}  // namespace outrigger::httpd
