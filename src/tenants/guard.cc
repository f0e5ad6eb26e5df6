#include "tenants/guard.h"

#include "digest/digest.h"

namespace outrigger::tenants {
namespace {

// Both are digests of the same length; each of their bytes is looked at.
bool equal_digests(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  }
  return difference == 0;
}

}  // namespace

Guard::Guard(std::span<const std::string> fixed) : index_key_(new_secret()), guarded_(!fixed.empty()) {
  std::size_t number = 0;
  for (const std::string& secret : fixed) {
    Token token;
    token.id = "config-" + std::to_string(++number);
    token.tenant = kAnyTenant;
    token.sha256 = digest::sha256_hex(secret);
    add_to(fixed_, std::move(token));
  }
}

// The place in the index is told by a key of this process's own: how long a search takes says nothing about the digests
// that are kept.
std::string Guard::key_of(const std::string& sha256) const { return digest::hmac_sha256_hex(index_key_, sha256); }

void Guard::add_to(Index& index, Token token) const {
  std::string key = key_of(token.sha256);
  index.insert_or_assign(std::move(key), std::move(token));
}

void Guard::replace(TokenList list) {
  guarded_ = guarded_ || !list.tokens.empty();
  tokens_.clear();
  for (Token& token : list.tokens) add_to(tokens_, std::move(token));
  quotas_ = std::move(list.quotas);
}

const Token* Guard::find(const Index& index, const std::string& key, std::string_view sha256) {
  const auto found = index.find(key);
  return found != index.end() && equal_digests(found->second.sha256, sha256) ? &found->second : nullptr;
}

std::optional<Caller> Guard::identify(std::string_view token, std::chrono::system_clock::time_point now) const {
  const std::string sha256 = digest::sha256_hex(token);
  const std::string key = key_of(sha256);
  const Token* from_config = find(fixed_, key, sha256);
  const Token* from_file = find(tokens_, key, sha256);
  const Token* found = from_config != nullptr ? from_config : from_file;
  if (found == nullptr || !found->is_valid_at(now)) return std::nullopt;
  const bool any = found->tenant == kAnyTenant;
  return Caller{any ? std::string() : found->tenant, found->id, any};
}

const Quotas& Guard::quotas(std::string_view tenant) const {
  static const Quotas kNone{};
  const auto found = quotas_.find(tenant);
  return found == quotas_.end() ? kNone : found->second;
}

}  // namespace outrigger::tenants
