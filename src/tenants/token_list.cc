#include "tenants/token_list.h"

#include <algorithm>
#include <set>

namespace outrigger::tenants {
namespace {

class Reader {
 public:
  // What is wrong with it beside the others; empty where nothing is.
  std::string take(Line line) {
    if (auto* token = std::get_if<Token>(&line)) {
      if (!ids_.insert(token->id).second) return "token " + token->id + " is there already";
      if (!digests_.insert(token->sha256).second) return "another line has the same sha256";
      list_.tokens.push_back(std::move(*token));
    } else if (auto* of = std::get_if<TenantQuotas>(&line)) {
      if (!list_.quotas.emplace(of->tenant, of->quotas).second) return "quotas of " + of->tenant + " are there already";
    }
    return {};
  }
  TokenList result() { return std::move(list_); }

 private:
  TokenList list_;
  std::set<std::string> ids_;
  std::set<std::string> digests_;
};

}  // namespace

base::Result<TokenList> parse_tokens(std::string_view text, std::string_view name) {
  Reader reader;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    auto line = parse_line(text.substr(0, end));
    const std::string wrong = line ? reader.take(std::move(*line)) : std::move(line.error());
    if (!wrong.empty()) {
      const std::string where = std::string(name) + ":" + std::to_string(number) + ": ";
      return base::failure(base::Code::kInvalid, "tokens_file", where + wrong);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.result();
}

}  // namespace outrigger::tenants
