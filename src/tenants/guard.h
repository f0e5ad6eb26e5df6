#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tenants/caller.h"
#include "tenants/token_list.h"

namespace outrigger::tenants {

// Whom the daemon lets in, and what each tenant may use. Single-threaded.
class Guard {
 public:
  // `fixed`: tokens that the configuration itself holds, in clear; each is an operator's.
  explicit Guard(std::span<const std::string> fixed = {});

  // What the tokens file says now, in place of what it said before.
  void replace(TokenList list);

  // Whether a token is asked for. Once one has been, it always is: a daemon does not open its door because the last
  // token was taken out of the file.
  [[nodiscard]] bool is_guarded() const { return guarded_; }

  // Whose token this is; nothing where it is none, or one that has expired or been revoked. As fast for ten thousand
  // tokens as for one, and as slow for a near miss as for a far one.
  [[nodiscard]] std::optional<Caller> identify(std::string_view token, std::chrono::system_clock::time_point now) const;

  [[nodiscard]] const Quotas& quotas(std::string_view tenant) const;

 private:
  using Index = std::unordered_map<std::string, Token>;
  void add_to(Index& index, Token token) const;
  [[nodiscard]] std::string key_of(const std::string& sha256) const;
  static const Token* find(const Index& index, const std::string& key, std::string_view sha256);

  std::string index_key_;
  Index fixed_;
  Index tokens_;
  std::map<std::string, Quotas, std::less<>> quotas_;
  bool guarded_ = false;
};

}  // namespace outrigger::tenants
