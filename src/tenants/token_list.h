#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tenants/token_lines.h"

namespace outrigger::tenants {

// All that a tokens file says.
struct TokenList {
  std::vector<Token> tokens;  // in the file's order
  std::map<std::string, Quotas, std::less<>> quotas;
};

// Lines of JSON (token_lines.h), each by itself. `name` stands for the file's in messages; kInvalid says which line and
// what is wrong: also an id, a token or a tenant's quotas given twice.
base::Result<TokenList> parse_tokens(std::string_view text, std::string_view name);

}  // namespace outrigger::tenants
