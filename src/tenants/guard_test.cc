#include "tenants/guard.h"

#include "tenants/test_place.h"
#include "tenants/token_watch.h"

namespace outrigger::tenants {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;

const auto kNow = system_clock::time_point{1735689600s};

TokenList list_of(std::vector<Token> tokens) {
  TokenList list;
  list.tokens = std::move(tokens);
  return list;
}

TEST(Guard, WithoutTokensAsksForNone) {
  EXPECT_FALSE(Guard().is_guarded());
  EXPECT_FALSE(Guard().identify("", kNow).has_value());
}

TEST(Guard, TokensOfTheConfigurationAreOperators) {
  const std::vector<std::string> fixed{"first", "second"};
  Guard guard(fixed);
  EXPECT_TRUE(guard.is_guarded());
  const auto caller = guard.identify("second", kNow);
  ASSERT_TRUE(caller.has_value());
  EXPECT_TRUE(caller->is_operator);
  EXPECT_EQ(caller->token_id, "config-2");
  for (const char* bad : {"", "firs", "firstt", "FIRST", "first second"}) {
    EXPECT_FALSE(guard.identify(bad, kNow).has_value()) << bad;
  }
  guard.replace(list_of({token_of("acme", "t", "third")}));
  EXPECT_TRUE(guard.identify("first", kNow).has_value()) << "the file replaces only its own";
  EXPECT_TRUE(guard.identify("third", kNow).has_value());
}

TEST(Guard, ATokenIsItsTenants) {
  Guard guard;
  guard.replace(list_of({token_of("acme", "t1", "a"), token_of("*", "t2", "b")}));
  EXPECT_EQ(guard.identify("a", kNow)->tenant, "acme");
  EXPECT_EQ(guard.identify("a", kNow)->token_id, "t1");
  EXPECT_TRUE(guard.identify("b", kNow)->is_operator);
}

TEST(Guard, ExpiredAndRevokedTokensOpenNothing) {
  Guard guard;
  Token expired = token_of("acme", "t1", "a");
  expired.expires = kNow + 1h;
  Token revoked = token_of("acme", "t2", "b");
  revoked.revoked = kNow;
  guard.replace(list_of({expired, revoked}));
  EXPECT_TRUE(guard.identify("a", kNow).has_value());
  EXPECT_FALSE(guard.identify("a", kNow + 1h).has_value());
  EXPECT_FALSE(guard.identify("b", kNow).has_value());
}

TEST(Guard, StaysShutWhenTheLastTokenIsGone) {
  Guard guard;
  guard.replace(list_of({token_of("acme", "t1", "a")}));
  guard.replace({});
  EXPECT_TRUE(guard.is_guarded());
  EXPECT_FALSE(guard.identify("a", kNow).has_value());
}

TEST(Guard, KnowsQuotasByTenant) {
  Guard guard;
  TokenList list;
  list.quotas["acme"].concurrent = 2;
  guard.replace(list);
  EXPECT_EQ(guard.quotas("acme").concurrent, 2U);
  EXPECT_TRUE(is_empty(guard.quotas("other")));
  EXPECT_FALSE(guard.is_guarded()) << "quotas alone ask for no token";
}

class TokenWatchTest : public TestPlace {
 protected:
  TokenWatch watch() {
    std::filesystem::create_directories(path_.parent_path());
    return {std::move(*TokenFile::open(path_)), guard_};
  }
  void write_tokens(std::vector<Token> tokens) const {
    std::string text;
    for (const Token& token : tokens) text += line_of(token) + "\n";
    write(text);
  }
  Guard guard_;
};

TEST_F(TokenWatchTest, AFileThatComesLaterIsTaken) {
  TokenWatch watched = watch();
  ASSERT_TRUE(watched.load());
  EXPECT_FALSE(guard_.is_guarded());
  watched.look();
  write_tokens({token_of("acme", "t1", "a")});
  watched.look();
  EXPECT_TRUE(guard_.identify("a", kNow).has_value());
  EXPECT_EQ(watched.trouble(), "");
}

TEST_F(TokenWatchTest, ABrokenFileChangesNothingAndIsToldOf) {
  write_tokens({token_of("acme", "t1", "a")});
  TokenWatch watched = watch();
  ASSERT_TRUE(watched.load());
  write("{ broken\n");
  watched.look();
  EXPECT_NE(watched.trouble().find("tokens.jsonl:1: "), std::string::npos) << watched.trouble();
  EXPECT_TRUE(guard_.identify("a", kNow).has_value());
  watched.look();
  EXPECT_NE(watched.trouble(), "") << "as long as it is broken";
  write_tokens({token_of("acme", "t2", "b")});
  watched.look();
  EXPECT_EQ(watched.trouble(), "");
  EXPECT_FALSE(guard_.identify("a", kNow).has_value());
  EXPECT_TRUE(guard_.identify("b", kNow).has_value());
}

TEST_F(TokenWatchTest, AFileThatIsGoneChangesNothingEither) {
  write_tokens({token_of("acme", "t1", "a")});
  TokenWatch watched = watch();
  ASSERT_TRUE(watched.load());
  std::filesystem::remove(path_);
  watched.look();
  EXPECT_NE(watched.trouble().find("is gone"), std::string::npos);
  EXPECT_TRUE(guard_.identify("a", kNow).has_value());
  write_tokens({});
  watched.look();
  EXPECT_EQ(watched.trouble(), "");
  EXPECT_FALSE(guard_.identify("a", kNow).has_value());
}

TEST_F(TokenWatchTest, ABrokenFileIsNoStart) {
  write("{ broken\n");
  EXPECT_FALSE(watch().load());
  EXPECT_FALSE(guard_.is_guarded());
}

}  // namespace
}  // namespace outrigger::tenants
