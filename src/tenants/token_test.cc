#include "tenants/token.h"

#include <gtest/gtest.h>

#include <set>

#include "tenants/caller.h"
#include "tenants/quotas.h"

namespace outrigger::tenants {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;

TEST(Token, SecretsAreLongAndNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string secret = new_secret();
    EXPECT_EQ(secret.size(), 4U + 64U);
    EXPECT_TRUE(secret.starts_with("otr_"));
    EXPECT_TRUE(seen.insert(secret).second);
    EXPECT_TRUE(is_token_id(new_token_id()));
  }
}

TEST(Token, IsValidUpToItsExpiryAndUntilItIsRevoked) {
  const auto now = system_clock::now();
  Token token;
  EXPECT_TRUE(token.is_valid_at(now));
  token.expires = now;
  EXPECT_TRUE(token.is_valid_at(now - 1ns));
  EXPECT_FALSE(token.is_valid_at(now));
  token.expires.reset();
  token.revoked = now + 1h;
  EXPECT_FALSE(token.is_valid_at(now)) << "a clock that was set back does not revive it";
}

TEST(Token, TenantIsOneOrAny) {
  EXPECT_TRUE(is_token_tenant("acme"));
  EXPECT_TRUE(is_token_tenant("*"));
  for (const char* bad : {"", "a b", "**", "a*", "\xc3\xa9"}) EXPECT_FALSE(is_token_tenant(bad)) << bad;
}

TEST(Caller, ActsForItsOwnTenantOnlyUnlessItIsAnOperator) {
  const Caller acme{"acme", "t1"};
  EXPECT_TRUE(acme.may_act_for("acme"));
  EXPECT_FALSE(acme.may_act_for("acme2"));
  EXPECT_FALSE(acme.may_act_for(""));
  EXPECT_EQ(account_of(acme), "acme");
  const Caller anyone = operator_without_token();
  EXPECT_TRUE(anyone.may_act_for("acme"));
  EXPECT_EQ(account_of(anyone), "default");
  EXPECT_FALSE(Caller{}.may_act_for("acme")) << "who is not known acts for nobody";
  EXPECT_FALSE(Caller{}.may_act_for(""));
}

TEST(Quotas, LowerLimitsAndNeverRaiseThem) {
  Quotas quotas;
  EXPECT_TRUE(is_empty(quotas));
  EXPECT_EQ(lowered(model::Limits{}, quotas), model::Limits{});
  quotas.ceilings.at(0) = 2000;                         // wall_time_ms
  quotas.ceilings.at(2) = 1024.0 * 1024 * 1024 * 1024;  // memory_bytes, above what there is
  const model::Limits limits = lowered(model::Limits{}, quotas);
  EXPECT_EQ(limits.wall_time, 2000ms);
  EXPECT_EQ(limits.memory_bytes, model::Limits{}.memory_bytes);
  EXPECT_TRUE(has_ceilings(quotas));
  EXPECT_FALSE(is_empty(quotas));
}

}  // namespace
}  // namespace outrigger::tenants
