#include "wire/json_tree.h"

#include <gtest/gtest.h>

namespace outrigger::wire {
namespace {

struct Refused {
  const char* text;
  const char* field;
  const char* says;
};

void expect_refused(const Refused& example) {
  const auto tree = parse_tree(example.text);
  ASSERT_FALSE(tree.has_value()) << example.text;
  EXPECT_EQ(tree.error().code, base::Code::kInvalid);
  EXPECT_EQ(tree.error().field, example.field) << example.text;
  EXPECT_NE(tree.error().message.find(example.says), std::string::npos) << example.text << ": " << tree.error().message;
}

TEST(JsonTree, NamesTheFieldOfALoneSurrogate) {
  expect_refused({R"({"code":"\ud800"})", "code", "surrogate"});
  expect_refused({R"({"code":"a\udc00b"})", "code", "surrogate"});
  expect_refused({R"({"code":"\ud800\u0041"})", "code", "surrogate"});
  expect_refused({R"({"code":"\ud800x"})", "code", "surrogate"});
  expect_refused({R"({"files":[{"path":"a"},{"path":"\ud83d"}]})", "files[1].path", "surrogate"});
  expect_refused({R"({"code":"\ud800\n"})", "code", "surrogate"});
  expect_refused({R"({"a":1,"\ud800":2})", "", "surrogate"});
  expect_refused({"{\"code\":\"\\\\ud800\n\"}", "code", "not valid JSON at byte 16"});
}

TEST(JsonTree, NamesTheFieldOfBadUtf8AndItsByte) {
  expect_refused({"{\"code\":\"\xc3\x28\"}", "code", "UTF-8: byte 10"});
  expect_refused({"{\"a\":[1,\"\xff\"]}", "a[1]", "UTF-8: byte 9"});
  expect_refused({"{\"a\":\"\xed\xa0\x80\"}", "a", "UTF-8"});
  expect_refused({"{\"a\":\"\x80\"}", "a", "UTF-8"});
  expect_refused({"{\"\xc0\xaf\":1}", "", "UTF-8"});
}

TEST(JsonTree, AValidPairIsText) {
  const auto tree = parse_tree(R"({"code":"\ud83d\ude00"})");
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(tree->at("code").as_string(), "\xf0\x9f\x98\x80");
}

TEST(JsonTree, RefusesAKeyGivenTwice) {
  expect_refused({R"({"limits":{"pids":1,"pids":2}})", "limits.pids", "twice"});
  expect_refused({R"({"a":1,"\u0061":2})", "a", "twice"});
  EXPECT_TRUE(parse_tree(R"([{"a":1},{"a":2}])").has_value());
}

TEST(JsonTree, SaysWhereTextIsNoJson) {
  expect_refused({"", "", "ends in the middle"});
  expect_refused({R"({"a":[1,2)", "a[2]", "ends in the middle"});
  expect_refused({R"({"a":"b)", "a", "ends in the middle"});
  expect_refused({R"({"a":NaN})", "a", "byte 5"});
  expect_refused({R"({"a":1,})", "", "byte 7"});
  expect_refused({"{\"a\":\"x\ny\"}", "a", "byte 7"});
  expect_refused({R"({} {})", "", "goes on after"});
  expect_refused({"\xef\xbb\xbf{}", "", "byte 0"});
}

TEST(JsonTree, FindsAnErrorFarInside) {
  const std::string long_text = "{\"a\":\"" + std::string(100'000, 'x') + "\",\"b\":!}";
  const auto tree = parse_tree(long_text);
  ASSERT_FALSE(tree.has_value());
  EXPECT_EQ(tree.error().message, "the request body is not valid JSON at byte 100012, in b");
}

TEST(JsonTree, RefusesDepthWithoutReadingOn) {
  for (const char* open : {"[", "{\"a\":", "[{\"x\":"}) {
    std::string text = R"({"junk":)";
    for (int i = 0; i < 100'000; ++i) text += open;
    const auto tree = parse_tree(text);
    ASSERT_FALSE(tree.has_value());
    EXPECT_NE(tree.error().message.find("nested deeper than 32"), std::string::npos) << tree.error().message;
    EXPECT_EQ(tree.error().field.substr(0, 4), "junk");
    EXPECT_LE(tree.error().field.size(), 70U);
  }
}

TEST(JsonTree, RefusesMillionsOfValues) {
  std::string text = R"({"args":[)";
  for (int i = 0; i < 1'000'000; ++i) text += "0,";
  const auto tree = parse_tree(text + "0]}");
  ASSERT_FALSE(tree.has_value());
  EXPECT_NE(tree.error().message.find("more than 100000 values"), std::string::npos);
}

TEST(JsonTree, NumbersBeyondADoubleAreNotFinite) {
  const auto tree = parse_tree(R"({"a":1e400})");
  ASSERT_TRUE(tree.has_value());
  EXPECT_GT(tree->at("a").as_double(), 1e308);
  expect_refused({R"({"a":1e99999999999})", "a", "outside the range"});
}

TEST(JsonTree, RepeatsOnlyTheBeginningOfALongName) {
  const auto tree = parse_tree("{\"" + std::string(5000, 'k') + "\":!}");
  ASSERT_FALSE(tree.has_value());
  EXPECT_LT(tree.error().field.size(), 80U);
  EXPECT_EQ(shortened(std::string(63, 'a') + "\xc3\xa9").substr(0, 64), std::string(63, 'a') + "\xe2");
}

}  // namespace
}  // namespace outrigger::wire
