#include <gtest/gtest.h>

#include "http/client.h"

namespace outrigger::http {
namespace {

TEST(Address, IsReadFromAUrl) {
  EXPECT_EQ(parse_server("http://127.0.0.1:8080")->host, "127.0.0.1");
  EXPECT_EQ(parse_server("http://127.0.0.1:8080/")->port, 8080);
  EXPECT_EQ(parse_server("http://box.example")->port, 80);
  EXPECT_EQ(parse_server("http://[::1]:9")->host, "::1");
  EXPECT_EQ(parse_server("http://[::1]:9")->port, 9);
  EXPECT_EQ(parse_server("http://[::1]")->port, 80);
}

TEST(Address, WhatIsNoneIsRefused) {
  for (const char* url : {"", "127.0.0.1:8080", "http://", "http:///", "http://:80", "http://h:", "http://h:0",
                          "http://h:65536", "http://h:x", "http://h:80x", "http://h/path", "http://u@h", "http://[::1",
                          "http://[::1]x", "ftp://h", "http://h\r\nX: y"}) {
    EXPECT_FALSE(parse_server(url)) << url;
  }
}

TEST(Address, HttpsIsRefusedWithAReason) {
  EXPECT_NE(parse_server("https://127.0.0.1:1").error().find("https"), std::string::npos);
}

}  // namespace
}  // namespace outrigger::http
