#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>

#include "base/unique_fd.h"
#include "jail/plan.h"
#include "model/job.h"
#include "model/runtime.h"
#include "run/launch_payload.h"
#include "run/live_input.h"
#include "run/task_group.h"

namespace outrigger::run {

// To sandbox_init, over the control socket. False where the jail is dead, which its pidfd tells, or its socket full.
bool send_order(boost::asio::posix::stream_descriptor& control, const jail::Order& order);

// What goes into a jail: the program, then its stdin, and where somebody is there (LiveInput) what they have for it.
// Coroutines of its owner's task group; all of them end by themselves after stop().
class Feed final : private Fed {
 public:
  struct Channels {
    base::UniqueFd launch;
    base::UniqueFd stdin_end;
    boost::asio::posix::stream_descriptor& control;  // not owned
  };
  // What is given by reference or pointer outlives it; `input` may be null. `handed_over` is called once, when the
  // program has been written to the jail.
  Feed(const boost::asio::any_io_executor& executor, Channels channels, const model::Job& job,
       const model::Runtime& runtime, LiveInput* input, std::function<void()> handed_over);

  // To be called once: of a job that has a terminal, when that has been taken.
  void begin(TaskGroup& tasks);
  // Before begin(): a terminal's master takes the place of the pipe, and gets this size.
  void take_terminal(base::UniqueFd master, model::TerminalSize size);
  // The jail is dead.
  void stop();

 private:
  boost::asio::awaitable<void> feed_launch();
  boost::asio::awaitable<void> feed_stdin();
  boost::asio::awaitable<void> feed_live();
  boost::asio::awaitable<void> end_terminal_input(char last);
  void signal(int number) override;
  void resize(model::TerminalSize size) override;

  const model::Job& job_;
  LaunchPayload payload_;
  LiveInput* input_;
  boost::asio::posix::stream_descriptor& control_;
  boost::asio::posix::stream_descriptor launch_;
  boost::asio::posix::stream_descriptor stdin_;
  std::function<void()> handed_over_;
};

}  // namespace outrigger::run
