#include "config/tokens.h"

#include <algorithm>

#include "config/load.h"

namespace outrigger::config {
namespace {

std::string listen_text(const Server& server) {
  const bool v6 = server.host.find(':') != std::string::npos;
  return (v6 ? "[" + server.host + "]" : server.host) + ":" + std::to_string(server.port);
}

}  // namespace

bool is_token(std::string_view text) {
  const auto sendable = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~+/=").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, sendable);
}

base::Status apply_token_environment(Config& config, const Environment& environment) {
  static constexpr const char* kName = "OUTRIGGER_TOKENS";
  static constexpr std::string_view kBetween = ", \t\r\n";
  const std::string text = environment(kName).value_or("");
  std::vector<std::string> tokens;
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    tokens.push_back(text.substr(at, end - at));
    if (!is_token(tokens.back())) {
      return base::failure(base::Code::kInvalid, "config", std::string(kName) + ": each " + std::string(kTokenRule));
    }
    at = text.find_first_not_of(kBetween, end);
  }
  if (!tokens.empty()) config.server.tokens = std::move(tokens);
  return {};
}

std::filesystem::path tokens_file(const Config& config) {
  if (!config.server.tokens_file.empty()) return config.server.tokens_file;
  return config.paths.lib_dir / "tokens" / "tokens.jsonl";
}

base::Status check_guarded(const Config& config, bool has_tokens) {
  if (has_tokens || is_loopback(config.server.host)) return {};
  return base::failure(base::Code::kInvalid, "config",
                       "server.listen " + listen_text(config.server) +
                           " is reachable from other machines, but nothing guards it: make a token with `outrigger "
                           "token create` (or set server.tokens in " +
                           config.paths.config_file.string() + "), or listen on 127.0.0.1");
}

}  // namespace outrigger::config
