#include "run/live_input.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <string>
#include <vector>

namespace outrigger::run {
namespace {

namespace asio = boost::asio;

// What a program's holder would do: takes all that comes.
struct Taker final : Fed {
  void signal(int number) override { signals.push_back(number); }
  void resize(model::TerminalSize size) override { rows.push_back(size.rows); }

  asio::awaitable<void> take(LiveInput& input) {
    while (auto bytes = co_await input.next()) pieces.push_back(*bytes);
    ended = true;
  }

  std::vector<std::string> pieces;
  std::vector<int> signals;
  std::vector<int> rows;
  bool ended = false;
};

class LiveInputTest : public ::testing::Test {
 protected:
  void take() { asio::co_spawn(context_, taker_.take(input_), asio::detached); }
  void turn() {
    context_.restart();
    context_.poll();
  }

  asio::io_context context_;
  LiveInput input_{context_.get_executor()};
  Taker taker_;
};

TEST_F(LiveInputTest, GivesWhatCameAndThenWhatComes) {
  input_.push("a");
  input_.push("b");
  EXPECT_EQ(input_.pending(), 2U);
  take();
  turn();
  EXPECT_EQ(taker_.pieces, std::vector<std::string>{"ab"});
  EXPECT_EQ(input_.pending(), 0U) << "next() was called again: it has been written";
  input_.push("c");
  turn();
  input_.close();
  turn();
  EXPECT_EQ(taker_.pieces, (std::vector<std::string>{"ab", "c"}));
  EXPECT_TRUE(taker_.ended);
}

TEST_F(LiveInputTest, EndsBehindWhatWasPushed) {
  input_.push("a");
  input_.close();
  input_.push("dropped");
  take();
  turn();
  EXPECT_EQ(taker_.pieces, std::vector<std::string>{"a"});
  EXPECT_TRUE(taker_.ended);
}

TEST_F(LiveInputTest, DropsWhatNobodyReadsAnyMore) {
  take();
  turn();
  input_.stop();
  turn();
  EXPECT_TRUE(taker_.ended);
  input_.push("a");
  EXPECT_EQ(input_.pending(), 0U);
}

TEST_F(LiveInputTest, KeepsSignalsAndSizeForAProgramThatIsNotThereYet) {
  input_.resize({10, 20});
  input_.resize({30, 20});
  for (int i = 0; i < 100; ++i) input_.signal(SIGINT);
  input_.attach(&taker_);
  EXPECT_EQ(taker_.rows, std::vector<int>{30});
  EXPECT_EQ(taker_.signals, std::vector<int>(16, SIGINT));
  input_.signal(SIGTERM);
  EXPECT_EQ(taker_.signals.back(), SIGTERM);
  input_.attach(nullptr);
  input_.stop();
  input_.signal(SIGTERM);
  EXPECT_EQ(taker_.signals.size(), 17U);
}

}  // namespace
}  // namespace outrigger::run
