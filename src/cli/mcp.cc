#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>

#include "blocking/sleeper.h"
#include "blocking/thread.h"
#include "cli/mcp_lines.h"
#include "cli/print.h"
#include "cli/remote.h"
#include "cli/verbs.h"
#include "mcp/server.h"
#include "run/task_group.h"

namespace outrigger::cli {
namespace {

namespace asio = boost::asio;

// So many requests to the daemon are under way at a time; what comes besides waits.
constexpr std::size_t kConnections = 8;
constexpr std::size_t kMostMessages = 64;
constexpr std::chrono::minutes kPatience{10};

mcp::Answer as_answer(std::expected<std::string, wire::ErrorBody> answer) {
  if (answer) return {true, std::move(*answer)};
  return {false, wire::error_to_json(answer.error())};
}

class RemoteBackend final : public mcp::Backend {
 public:
  explicit RemoteBackend(Remote remote) : remote_(std::move(remote)) {}

  asio::awaitable<mcp::Answer> execute(std::string body) override {
    mcp::Answer answer = co_await request(http::Method::kPost, "/api/v1/execute", std::move(body));
    co_return answer;
  }
  asio::awaitable<mcp::Answer> languages() override {
    mcp::Answer answer = co_await request(http::Method::kGet, "/api/v1/languages", {});
    co_return answer;
  }
  asio::awaitable<mcp::Answer> find_run(std::string job_id) override {
    mcp::Answer answer = co_await request(http::Method::kGet, "/api/v1/runs/" + percent_encoded(job_id), {});
    co_return answer;
  }

 private:
  asio::awaitable<mcp::Answer> request(http::Method method, std::string target, std::string body) {
    Lane& lane = *std::ranges::min_element(lanes_, {}, &Lane::load);
    auto work = [this, method, target = std::move(target), body = std::move(body)] {
      return as_answer(ask(remote_, method, target, body, {}, kPatience));
    };
    ++lane.load;
    mcp::Answer answer = co_await lane.thread.call(std::move(work));
    --lane.load;
    co_return answer;
  }

  struct Lane {
    blocking::Thread thread;
    std::size_t load = 0;
  };

  const Remote remote_;
  std::array<Lane, kConnections> lanes_;
};

// Messages in on stdin, answers out on stdout, a line each (modelcontextprotocol.io, "Transports", stdio). Answers come
// as they are ready: a ping does not wait for a program.
class StdioServer {
 public:
  StdioServer(const asio::any_io_executor& executor, const McpOptions& options)
      : backend_(options.remote),
        server_(backend_, options.tenant, OUTRIGGER_VERSION),
        tasks_(executor),
        room_(executor) {}

  asio::awaitable<void> run() {
    while (!broken_) {
      auto read = [this] { return lines_.next(); };
      std::optional<McpLines::Line> line = co_await input_.call(std::move(read));
      if (!line) break;
      if (line->too_long) {
        send(mcp::error_json(mcp::kNoId, mcp::kInvalidRequest, "a message must not be longer than 20 MiB"));
        continue;
      }
      ++under_way_;
      tasks_.spawn(answer(std::move(line->text)));
      while (under_way_ >= kMostMessages) co_await room_.sleep(std::chrono::hours{1});
    }
    co_await tasks_.join();
  }
  [[nodiscard]] int status() const { return broken_ ? kExitFailed : 0; }

 private:
  asio::awaitable<void> answer(std::string text) {
    const std::optional<std::string> line = co_await server_.answer(std::move(text), session_);
    if (line) send(*line);
    --under_way_;
    room_.wake();
  }
  void send(const std::string& line) { broken_ = broken_ || !write_all(STDOUT_FILENO, line + "\n"); }

  RemoteBackend backend_;
  mcp::Server server_;
  mcp::Session session_;
  McpLines lines_{STDIN_FILENO};
  blocking::Thread input_;
  run::TaskGroup tasks_;
  blocking::Sleeper room_;
  std::size_t under_way_ = 0;
  bool broken_ = false;
};

}  // namespace

int perform(const McpOptions& options) {
  asio::io_context context(1);
  StdioServer server(context.get_executor(), options);
  const auto rethrow = [](const std::exception_ptr& error) {
    if (error) std::rethrow_exception(error);
  };
  asio::co_spawn(context, server.run(), rethrow);
  context.run();
  return server.status();
}

}  // namespace outrigger::cli
