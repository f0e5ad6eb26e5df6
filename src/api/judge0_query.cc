#include "api/judge0_query.h"

#include <algorithm>

#include "api/query.h"
#include "httpd/header_values.h"
#include "judge0/config.h"

namespace outrigger::api {

std::expected<Judge0Query, std::string> read_judge0_query(std::string_view query) {
  const auto parameters = parse_query(query, {});
  if (!parameters) return std::unexpected(parameters.error().message);
  const auto value = [&parameters](std::string_view name) {
    const auto found = parameters->find(name);
    return found == parameters->end() ? std::string() : found->second;
  };
  auto view = judge0::read_view(value("fields"), value("base64_encoded") == "true");
  if (!view) return std::unexpected(std::move(view.error()));
  return Judge0Query{std::move(*view), value("wait") == "true", value("tokens")};
}

std::string batch_fault(std::size_t count) {
  if (count == 0) return "there should be at least one submission in a batch";
  if (count <= judge0::kMaxBatch) return {};
  return "number of submissions in a batch should be less than or equal to " + std::to_string(judge0::kMaxBatch);
}

std::vector<std::string> split_tokens(std::string_view tokens) {
  std::vector<std::string> out;
  while (!tokens.empty()) {
    const std::size_t comma = std::min(tokens.find(','), tokens.size());
    const std::string_view token = httpd::trimmed(tokens.substr(0, comma));
    if (!token.empty()) out.emplace_back(token);
    tokens.remove_prefix(std::min(comma + 1, tokens.size()));
  }
  return out;
}

std::string of_one_or_more(std::string message) {
  static constexpr std::string_view kOne = "for this submission";
  const std::size_t at = message.find(kOne);
  if (at != std::string::npos) message.replace(at, kOne.size(), "for one or more submissions");
  return message;
}

}  // namespace outrigger::api
