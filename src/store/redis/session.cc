#include "store_redis/session.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/utf8.h"

namespace outrigger::store_redis {
namespace {

constexpr std::size_t kLongestErrorText = 200;

void add(Commands& commands, const ScriptCall& call, bool by_name) {
  commands.begin(3 + call.keys.size() + call.arguments.size());
  commands.argument(by_name ? "EVALSHA" : "EVAL");
  commands.argument(by_name ? call.script->sha1 : call.script->text);
  commands.argument(std::to_string(call.keys.size()));
  for (const std::string& key : call.keys) commands.argument(key);
  for (const std::string& argument : call.arguments) commands.argument(argument);
}

bool begins(const redisReply& reply, std::string_view word) {
  return as_error(reply).value_or(std::string_view()).starts_with(word);
}

// Errors after which another connection may find another server, or this one in another state.
bool is_of_the_server(std::string_view error) {
  static constexpr std::array<std::string_view, 5> kWords = {"READONLY", "LOADING", "MASTERDOWN", "NOAUTH",
                                                             "NOREPLICAS"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return error.starts_with(word); });
}

}  // namespace

base::Result<std::vector<Reply>> Session::judged(std::vector<Reply> replies) {
  for (const Reply& reply : replies) {
    const auto error = as_error(*reply);
    if (!error) continue;
    if (is_of_the_server(*error)) link_.drop();
    return base::failure(base::Code::kSystem, "redis_command",
                         link_.address().place() + ": " + base::to_utf8(error->substr(0, kLongestErrorText)));
  }
  return replies;
}

base::Result<std::vector<Reply>> Session::run(const Commands& commands, Deadline deadline, int wake_fd) {
  auto replies = link_.exchange(commands, deadline, wake_fd);
  if (!replies) return replies;
  return judged(std::move(*replies));
}

base::Result<std::vector<Reply>> Session::run(std::span<const ScriptCall> calls, Deadline deadline) {
  Commands by_name;
  for (const ScriptCall& call : calls) add(by_name, call, true);
  auto replies = link_.exchange(by_name, deadline);
  if (!replies) return replies;

  // A server that has been started since does not know them; a call that it did not know it did not execute. Sent once
  // in full, a script is known again to those that follow.
  Commands repetition;
  std::vector<std::size_t> repeated;
  std::set<const Script*> sent;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!begins(*(*replies)[i], "NOSCRIPT")) continue;
    add(repetition, calls[i], !sent.insert(calls[i].script).second);
    repeated.push_back(i);
  }
  if (!repeated.empty()) {
    auto again = link_.exchange(repetition, deadline);
    if (!again) return again;
    for (std::size_t i = 0; i < repeated.size(); ++i) (*replies)[repeated[i]] = std::move((*again)[i]);
  }
  return judged(std::move(*replies));
}

base::Result<Reply> Session::run_one(ScriptCall call, Deadline deadline) {
  auto replies = run(std::span(&call, 1), deadline);
  if (!replies) return std::unexpected(replies.error());
  return std::move(replies->front());
}

}  // namespace outrigger::store_redis
