#include "webhook/url_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace outrigger::webhook {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kHosts = {
    "hooks.example.com", "*.Example.org", "other.example.com:8443", "127.0.0.1:9000", "[::1]:9000",
    "93.184.216.34",     "*.0.0.1"};

std::string verdict(const std::string& url, const std::vector<std::string>& permitted = {}) {
  const auto rules = UrlRules::make(kHosts, permitted);
  if (!rules) return rules.error().text();
  const auto status = rules->check(url);
  return status ? "allowed" : status.error().text();
}

TEST(CallbackUrl, AllowedHosts) {
  for (const auto* url : {"https://hooks.example.com", "https://hooks.example.com/a?b=c#d", "http://hooks.example.com/",
                          "HTTPS://HOOKS.Example.COM/x", "https://hooks.example.com:443/",
                          "http://hooks.example.com:80/", "https://a.example.org/", "https://a.b.example.org/",
                          "https://other.example.com:8443/", "http://93.184.216.34/"}) {
    EXPECT_EQ(verdict(url), "allowed") << url;
  }
}

struct Refused {
  std::string url;
  std::string rule;
};

class CallbackUrlRefused : public testing::TestWithParam<Refused> {};

TEST_P(CallbackUrlRefused, NamesTheRule) { EXPECT_THAT(verdict(GetParam().url), HasSubstr(GetParam().rule)); }

INSTANTIATE_TEST_SUITE_P(
    Table, CallbackUrlRefused,
    testing::Values(
        Refused{"", "must look like"}, Refused{"hooks.example.com", "must look like"},
        Refused{"//hooks.example.com/", "must look like"}, Refused{"ftp://hooks.example.com/", "http or https"},
        Refused{"file:///etc/passwd", "http or https"}, Refused{"gopher://hooks.example.com/", "http or https"},
        Refused{"javascript:alert(1)", "must look like"}, Refused{"https:///hooks.example.com/", "must look like"},
        Refused{"https:/hooks.example.com/", "must look like"},
        Refused{"https://user:secret@hooks.example.com/", "no user or password"},
        Refused{"https://user@hooks.example.com/", "no user or password"},
        Refused{"https://@hooks.example.com/", "no user or password"},
        Refused{"https://hooks.example.com@evil.example/", "no user or password"},
        Refused{"https://evil.example/hooks.example.com", "not among"},
        Refused{"https://evil.example#@hooks.example.com/", "not among"},
        Refused{"https://hooks.example.com.evil.example/", "not among"},
        Refused{"https://xhooks.example.com/", "not among"}, Refused{"https://hooks.example.com./", "not among"},
        Refused{"https://example.org/", "not among"}, Refused{"https://aexample.org/", "not among"},
        Refused{"https://hooks.example.com:8443/", "not among"}, Refused{"http://hooks.example.com:443/", "not among"},
        Refused{"https://other.example.com/", "not among"}, Refused{"https://hooks.example.com:0/", "port"},
        Refused{"https://hooks.example.com:65536/", "must look like"},
        Refused{"https://hooks.example.com/\r\nHost: evil", "visible ASCII"},
        Refused{"https://hooks.example.com\\@evil.example/", "backslash"},
        Refused{"https://hooks.example.com/a b", "visible ASCII"},
        Refused{"https://h\xc3\xb6oks.example.com/", "visible ASCII"},
        Refused{"https://hooks.example.com/" + std::string(2048, 'a'), "2048"},
        Refused{"http://127.0.0.1:9000/", "loopback"}, Refused{"http://[::1]:9000/", "loopback"},
        Refused{"http://[0:0:0:0:0:0:0:1]:9000/", "loopback"}, Refused{"http://2130706433:9000/", "loopback"},
        Refused{"http://0x7f.1:9000/", "loopback"}, Refused{"http://10.0.0.1/", "not among"},
        Refused{"http://[fe80::1%25eth0]:9000/", "zone"}));

TEST(CallbackUrl, LoopbackIsAllowedWherePermitted) {
  EXPECT_EQ(verdict("http://127.0.0.1:9000/", {"127.0.0.0/8"}), "allowed");
  EXPECT_EQ(verdict("http://[::1]:9000/", {"::1/128"}), "allowed");
  EXPECT_THAT(verdict("http://127.0.0.1:9001/", {"127.0.0.0/8"}), HasSubstr("not among"));
}

TEST(CallbackUrl, TheOperatorsOwnMayLieAnywhereAndIsTheOnlyOne) {
  for (const std::string url :
       {"http://127.0.0.1:9000/a", "https://[::1]/", "http://10.0.0.1/", "http://host:8080/x"}) {
    const auto rules = UrlRules::only(url);
    ASSERT_TRUE(rules.has_value()) << url;
    EXPECT_TRUE(rules->check(url)) << url;
    EXPECT_FALSE(rules->check("http://127.0.0.2:9000/a"));
  }
  EXPECT_FALSE(UrlRules::only("not a url"));
}

TEST(CallbackUrl, ARefusalQuotesNoPassword) {
  EXPECT_EQ(verdict("https://user:hunter2@hooks.example.com/"), "callback_url: it must hold no user or password");
}

TEST(CallbackUrl, WithoutAllowedHostsThereAreNone) {
  EXPECT_FALSE(UrlRules::make({}, {})->check("https://hooks.example.com/"));
}

TEST(CallbackRules, PatternsAreChecked) {
  for (const std::string text : {"", "*", "*.", "*.*.com", "a*.com", "https://hooks.example.com", "hooks.example.com/",
                                 "hooks.example.com:", "hooks.example.com:0", "hooks.example.com:65536", "a b", ".com",
                                 "a..b", "user@host", "::1", "[::1", "[10.0.0.1]", "*.[::1]"}) {
    EXPECT_FALSE(UrlRules::make(std::vector{text}, {})) << text;
  }
  const auto bad_network = UrlRules::make({}, std::vector<std::string>{"10.0.0.1/8"});
  EXPECT_THAT(bad_network.error().text(), HasSubstr("permitted_networks: \"10.0.0.1/8\""));
}

}  // namespace
}  // namespace outrigger::webhook
