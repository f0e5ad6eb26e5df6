#include "httpd/handshake.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace outrigger::httpd {
namespace {

// The example of RFC 6455, 1.2.
RequestHead example() {
  RequestHead head;
  head.method = "GET";
  head.target = "/chat";
  head.headers = {{"Host", "server.example.com"},
                  {"Upgrade", "websocket"},
                  {"Connection", "Upgrade"},
                  {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="},
                  {"Sec-WebSocket-Version", "13"}};
  return head;
}

RequestHead with(std::string_view name, std::string_view value) {
  RequestHead head = example();
  std::erase_if(head.headers, [name](const Header& header) { return header.first == name; });
  if (!value.empty()) head.headers.emplace_back(name, value);
  return head;
}

TEST(Handshake, OfTheStandardsExampleIsGood) { EXPECT_EQ(handshake_of(example()), Handshake::kGood); }

TEST(Handshake, ReadsListsAndNoCase) {
  EXPECT_EQ(handshake_of(with("Connection", "keep-alive, UPGRADE")), Handshake::kGood);
  EXPECT_EQ(handshake_of(with("Upgrade", "h2c , WebSocket")), Handshake::kGood);
  RequestHead two = with("Connection", "keep-alive");
  two.headers.emplace_back("connection", "Upgrade");
  EXPECT_EQ(handshake_of(two), Handshake::kGood);
}

TEST(Handshake, IsNotAskedForWithoutBothFields) {
  EXPECT_EQ(handshake_of(with("Upgrade", "")), Handshake::kNotAsked);
  EXPECT_EQ(handshake_of(with("Upgrade", "h2c")), Handshake::kNotAsked);
  EXPECT_EQ(handshake_of(with("Connection", "keep-alive")), Handshake::kNotAsked);
  EXPECT_EQ(handshake_of(with("Connection", "Upgraded")), Handshake::kNotAsked);
}

TEST(Handshake, OfAnotherVersionIsToldApart) {
  EXPECT_EQ(handshake_of(with("Sec-WebSocket-Version", "8")), Handshake::kOtherVersion);
  EXPECT_EQ(handshake_of(with("Sec-WebSocket-Version", "")), Handshake::kBroken);
}

TEST(Handshake, NeedsAKeyOfSixteenBytesOnce) {
  EXPECT_EQ(handshake_of(with("Sec-WebSocket-Key", "")), Handshake::kBroken);
  EXPECT_EQ(handshake_of(with("Sec-WebSocket-Key", "c2hvcnQ=")), Handshake::kBroken);
  EXPECT_EQ(handshake_of(with("Sec-WebSocket-Key", "no base64 at all!!!!===")), Handshake::kBroken);
  RequestHead two = example();
  two.headers.emplace_back("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
  EXPECT_EQ(handshake_of(two), Handshake::kBroken);
}

TEST(Handshake, IsAGetOfHttp11WithoutABody) {
  RequestHead head = example();
  head.method = "HEAD";
  EXPECT_EQ(handshake_of(head), Handshake::kBroken);
  head = example();
  head.version = 10;
  EXPECT_EQ(handshake_of(head), Handshake::kBroken);
  head = example();
  head.has_body = true;
  EXPECT_EQ(handshake_of(head), Handshake::kBroken);
}

}  // namespace
}  // namespace outrigger::httpd
