#include "store_redis/server_test_support.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "base/ids.h"
#include "base/unique_fd.h"

namespace outrigger::store_redis {
namespace {

using std::chrono::steady_clock;

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  if (value == nullptr) throw std::runtime_error(std::string(name) + " is not set: run tests/stores/run_redis.py");
  return value;
}

std::string shown(const redisReply& reply) {
  if (const auto text = as_text(reply)) return std::string(*text);
  if (const auto error = as_error(reply)) return std::string(*error);
  if (const auto integer = as_integer(reply)) return std::to_string(*integer);
  if (reply.type == REDIS_REPLY_NIL) return "(nil)";
  std::string lines;
  for (const redisReply* element : as_elements(reply)) lines += shown(*element) + "\n";
  return lines;
}

std::string quoted_after(std::string_view raw, std::string_view name) {
  const auto at = raw.find("\"" + std::string(name) + "\":\"");
  if (at == std::string_view::npos) return {};
  const auto begin = at + name.size() + 4;
  return std::string(raw.substr(begin, raw.find('"', begin) - begin));
}

}  // namespace

std::string server_url() { return environment("OUTRIGGER_TEST_REDIS"); }

void control_server(std::string_view verb) {
  const std::string path = environment("OUTRIGGER_TEST_REDIS_CONTROL");
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  path.copy(where.sun_path, sizeof where.sun_path - 1);
  const base::UniqueFd fd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  std::array<char, 256> answer{};
  if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0 ||
      ::send(fd.get(), verb.data(), verb.size(), 0) < 0) {
    throw std::runtime_error("the server's keeper does not listen");
  }
  const ssize_t size = ::recv(fd.get(), answer.data(), answer.size(), 0);
  const std::string_view text(answer.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  if (text != "done") throw std::runtime_error(std::string(verb) + ": " + std::string(text));
}

void wait_until(const std::function<bool()>& condition, std::string_view what, std::chrono::seconds limit) {
  const auto end = steady_clock::now() + limit;
  while (!condition()) {
    if (steady_clock::now() > end) throw std::runtime_error("waited in vain: " + std::string(what));
    std::this_thread::sleep_for(2ms);
  }
}

std::string entry_of(const std::string& job_id, std::string_view more) {
  return R"({"job_id":")" + job_id + R"(","code":"true")" + std::string(more) + "}";
}

std::expected<store::Identified, std::string> identify(std::string_view raw) {
  if (raw.starts_with('{') && raw.ends_with('}')) {
    if (const std::string id = quoted_after(raw, "job_id"); !id.empty()) return store::Identified{id, std::string(raw)};
    if (const std::string id = quoted_after(raw, "fresh"); !id.empty()) return store::Identified{id, entry_of(id)};
  }
  return std::unexpected("no job: it begins with " + std::string(raw.substr(0, 8)));
}

RedisServerTest::RedisServerTest()
    : prefix_("test-" + base::new_job_id()), link_(*parse_url(server_url()), 256UL << 20U) {}

RedisOptions RedisServerTest::options(const std::string& worker) const {
  RedisOptions options;
  options.url = server_url();
  options.prefix = prefix_;
  options.worker = worker;
  return options;
}

std::unique_ptr<store::JobQueue> RedisServerTest::queue(const RedisOptions& options) {
  auto made = make_redis_queue(options);
  if (!made) throw std::runtime_error(made.error().text());
  if (const auto status = (*made)->open(); !status) throw std::runtime_error(status.error().text());
  return std::move(*made);
}

std::string RedisServerTest::redis(std::initializer_list<std::string_view> arguments) {
  Commands commands;
  commands.add(arguments);
  const auto replies = link_.exchange(commands, steady_clock::now() + 20s);
  if (!replies) throw std::runtime_error(replies.error().text());
  return shown(*replies->front());
}

Subscriber::Subscriber(const std::string& channel) {
  const Address address = *parse_url(server_url());
  context_.reset(redisConnectWithTimeout(address.host.c_str(), address.port, timeval{20, 0}));
  redisSetTimeout(context_.get(), timeval{20, 0});
  const auto say = [&](const char* verb, const std::string& what) {
    const Reply reply(static_cast<redisReply*>(redisCommand(context_.get(), "%s %s", verb, what.c_str())));
    if (!reply || as_error(*reply)) throw std::runtime_error(std::string(verb) + " failed");
  };
  if (!address.password.empty()) say("AUTH", address.password);
  say("SUBSCRIBE", channel);
}

std::string Subscriber::next() const {
  void* reply = nullptr;
  if (redisGetReply(context_.get(), &reply) != REDIS_OK) throw std::runtime_error("no message came");
  const Reply message(static_cast<redisReply*>(reply));
  return std::string(text_at(*message, 2));
}

std::vector<store::TakenJob> take(store::JobQueue& queue, std::size_t max, std::chrono::milliseconds wait) {
  auto jobs = queue.take(max, wait, identify);
  if (!jobs) throw std::runtime_error(jobs.error().text());
  return std::move(*jobs);
}

store::TakenJob take_one(store::JobQueue& queue, std::chrono::milliseconds wait) {
  auto jobs = take(queue, 100, wait);
  if (jobs.size() != 1) throw std::runtime_error("taken: " + std::to_string(jobs.size()) + " jobs instead of one");
  return std::move(jobs.front());
}

std::vector<std::string> ids(const std::vector<store::TakenJob>& jobs) {
  std::vector<std::string> out;
  out.reserve(jobs.size());
  for (const auto& job : jobs) out.push_back(job.job_id);
  return out;
}

store::RunningJob running(const store::TakenJob& job) { return {job.job_id, job.attempt}; }

}  // namespace outrigger::store_redis
