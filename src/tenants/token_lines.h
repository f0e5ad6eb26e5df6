#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <variant>

#include "tenants/quotas.h"
#include "tenants/token.h"

namespace outrigger::tenants {

struct TenantQuotas {
  std::string tenant;
  Quotas quotas;
};

// What one line of the tokens file says: a token, a tenant's quotas, or nothing (blank, or a comment from "#").
using Line = std::variant<std::monostate, Token, TenantQuotas>;

// The error is a sentence without the line's number. Fields it does not know are refused: a misspelt quota would not
// hold.
std::expected<Line, std::string> parse_line(std::string_view line);

// {"token": "1f3a…", "tenant": "acme", "sha256": "…", "created": "2025-…", …}
std::string line_of(const Token& token);
// {"quotas": "acme", "concurrent": 4, "per_minute": 60, "limits": {"wall_time_ms": 2000}}
std::string line_of(const TenantQuotas& quotas);

}  // namespace outrigger::tenants
