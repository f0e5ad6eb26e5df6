#pragma once

#include <string>
#include <string_view>

namespace outrigger::tenants {

// Who has sent a request, as the token in it says. As it is made it may act for nobody.
struct Caller {
  std::string tenant;    // the one it may act for; an operator, who may act for any, has none
  std::string token_id;  // for logs; empty: no token was asked for
  bool is_operator = false;
  std::string traceparent = {};  // of what the request is a part, as it says (wire/trace_context.h); empty: of nothing

  [[nodiscard]] bool may_act_for(std::string_view other) const {
    return is_operator || (!tenant.empty() && tenant == other);
  }
};

// Everybody, where no token is asked for.
inline Caller operator_without_token() { return {.tenant = {}, .token_id = {}, .is_operator = true}; }

// On whose account a request runs that has no place to name a tenant, where its caller is an operator.
inline constexpr std::string_view kDefaultTenant = "default";
inline std::string account_of(const Caller& caller) {
  return caller.is_operator ? std::string(kDefaultTenant) : caller.tenant;
}

}  // namespace outrigger::tenants
