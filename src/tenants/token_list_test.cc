#include "tenants/token_list.h"

#include <gtest/gtest.h>

#include "digest/digest.h"

namespace outrigger::tenants {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;

Token acme_token(std::string id = "t1", std::string secret = "secret") {
  Token token;
  token.id = std::move(id);
  token.tenant = "acme";
  token.sha256 = digest::sha256_hex(secret);
  token.created = system_clock::time_point{1735689600s};
  return token;
}

std::string fault_of(std::string_view text) {
  const auto list = parse_tokens(text, "F");
  return list ? "" : list.error().context;
}

TEST(TokenList, ReadsWhatItWrites) {
  Token token = acme_token();
  token.expires = token.created + 24h;
  token.revoked = token.created + 1h;
  token.note = "the \"CI\" of\nacme";
  TenantQuotas quotas{"acme", {}};
  quotas.quotas.concurrent = 4;
  quotas.quotas.per_minute = 60;
  quotas.quotas.ceilings.at(0) = 2000;
  quotas.quotas.ceilings.at(3) = 0.25;
  const std::string text = "# by hand\n\n" + line_of(token) + "\r\n" + line_of(quotas);
  const auto list = parse_tokens(text, "F");
  ASSERT_TRUE(list.has_value()) << list.error().text();
  ASSERT_EQ(list->tokens.size(), 1U);
  const Token& read = list->tokens.front();
  EXPECT_EQ(read.id, token.id);
  EXPECT_EQ(read.tenant, token.tenant);
  EXPECT_EQ(read.sha256, token.sha256);
  EXPECT_EQ(read.created, token.created);
  EXPECT_EQ(read.expires, token.expires);
  EXPECT_EQ(read.revoked, token.revoked);
  EXPECT_EQ(read.note, token.note);
  EXPECT_EQ(list->quotas.at("acme"), quotas.quotas);
}

TEST(TokenList, NothingIsAnEmptyList) {
  for (const char* text : {"", "\n", "# nobody yet\n"}) {
    const auto list = parse_tokens(text, "F");
    ASSERT_TRUE(list.has_value()) << text;
    EXPECT_TRUE(list->tokens.empty());
  }
}

TEST(TokenList, SaysWhichLineIsWrongAndHow) {
  const std::string good = line_of(acme_token()) + "\n";
  EXPECT_EQ(fault_of(good + "{\"quotas\":\"acme\",\"concurent\":4}\n"),
            "F:2: concurent is not a known field; known here: quotas, concurrent, per_minute, limits");
  EXPECT_EQ(fault_of(good + "\n" + good), "F:3: token t1 is there already");
  EXPECT_EQ(fault_of(good + line_of(acme_token("t2"))), "F:2: another line has the same sha256");
  EXPECT_EQ(fault_of("{\"quotas\":\"a\"}\n{\"quotas\":\"a\"}"), "F:2: quotas of a are there already");
  EXPECT_EQ(fault_of("{\"quotas\":\"a\",\"per_minute\":0}"), "F:1: per_minute must be an integer from 1 to 1000000");
  EXPECT_EQ(fault_of("{\"quotas\":\"a\",\"concurrent\":1.5}"), "F:1: concurrent must be an integer from 1 to 100000");
  EXPECT_EQ(fault_of("{\"quotas\":\"a\",\"limits\":{\"pids\":0}}"),
            "F:1: limits.pids must be an integer from 1 to 1048576");
  for (const char* bad : {"x", "[]", "{", "{}", "{\"token\":\"t\"}", "{\"token\":null}"}) {
    EXPECT_TRUE(fault_of(bad).starts_with("F:1: ")) << bad;
  }
}

TEST(TokenList, RefusesATokenThatIsHalfSaid) {
  const std::string good = line_of(acme_token());
  const auto without = [&good](std::string_view what, std::string_view in_its_place) {
    std::string line = good;
    line.replace(line.find(what), what.size(), in_its_place);
    return fault_of(line);
  };
  EXPECT_NE(without("\"acme\"", "\"a/b\"").find("tenant must be"), std::string::npos);
  EXPECT_NE(without(acme_token().sha256, "abc").find("sha256 must be"), std::string::npos);
  EXPECT_NE(without("\"created\"", "\"expires\"").find("created is required"), std::string::npos);
  EXPECT_NE(without("2025-", "20x5-").find("created must be a time"), std::string::npos);
  EXPECT_NE(without("\"t1\"", "\"T1\"").find("token must be"), std::string::npos);
}

}  // namespace
}  // namespace outrigger::tenants
