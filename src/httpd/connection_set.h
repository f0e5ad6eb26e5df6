#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <unordered_set>

namespace outrigger::httpd {

// How the set sees one of its connections.
class Member {
 public:
  Member() = default;
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;
  virtual ~Member() = default;

  // Ends after the answer it is about to give; at once where it is idle.
  virtual void finish() = 0;
  // Ends now, whatever it is doing.
  virtual void abort() = 0;
  // Waits for nothing but its client, who is owed no answer: may be ended for a newcomer's sake.
  [[nodiscard]] virtual bool idle() const = 0;
  [[nodiscard]] virtual std::chrono::steady_clock::time_point idle_since() const = 0;
};

// All open connections, and the memory that their requests may take together.
class ConnectionSet {
 public:
  ConnectionSet(const boost::asio::any_io_executor& executor, std::size_t max_buffered)
      : emptied_(executor), max_buffered_(max_buffered) {}
  [[nodiscard]] boost::asio::any_io_executor executor() { return emptied_.get_executor(); }

  void add(Member& member) { members_.insert(&member); }
  void remove(Member& member);
  [[nodiscard]] std::size_t size() const { return members_.size(); }

  // Ends the connection that has been idle longest. False where all are at work.
  bool evict_idle();
  void finish_all();
  void abort_all();
  // Returns when there is none left, or after `limit`.
  boost::asio::awaitable<void> wait_empty(std::chrono::milliseconds limit);

  [[nodiscard]] bool reserve(std::size_t bytes);
  void release(std::size_t bytes) { buffered_ -= bytes; }

 private:
  std::unordered_set<Member*> members_;
  boost::asio::steady_timer emptied_;
  std::size_t max_buffered_;
  std::size_t buffered_ = 0;
};

// A request's share of the set's memory, given back at the end of its scope.
class BufferShare {
 public:
  explicit BufferShare(ConnectionSet& set) : set_(set) {}
  BufferShare(const BufferShare&) = delete;
  BufferShare& operator=(const BufferShare&) = delete;
  ~BufferShare() { set_.release(held_); }

  [[nodiscard]] bool grow(std::size_t bytes) {
    if (!set_.reserve(bytes)) return false;
    held_ += bytes;
    return true;
  }

 private:
  ConnectionSet& set_;
  std::size_t held_ = 0;
};

}  // namespace outrigger::httpd
