#include "store_postgres/errors.h"

#include <gtest/gtest.h>

namespace outrigger::store::postgres {
namespace {

TEST(ShownReason, IsTheLastHostsWithoutNames) {
  EXPECT_EQ(shown_reason("connection to server at \"db1\" (10.0.0.1), port 5432 failed: Connection refused\n"
                         "\tIs the server running on that host and accepting TCP/IP connections?\n"
                         "connection to server at \"db2\" (10.0.0.2), port 5432 failed: FATAL:  password "
                         "authentication failed for user \"outrigger\"\n",
                         {}),
            "FATAL: password authentication failed for user \"…\"");
  EXPECT_EQ(shown_reason("could not translate host name \"db.internal\" to address: Name or service not known\n", {}),
            "could not translate host name \"…\" to address: Name or service not known");
  EXPECT_EQ(shown_reason("server closed the connection unexpectedly\n\tThis probably means …", {}),
            "server closed the connection unexpectedly");
}

TEST(ShownReason, HoldsNoSecretEvenOutsideQuotes) {
  const std::vector<std::string> secrets{"pa\"ss", "other"};
  EXPECT_EQ(shown_reason("failed: no pa\"ss and no other", secrets), "no … and no …");
  EXPECT_EQ(shown_reason("failed: an open \"quote with all that follows", {}), "an open \"…");
}

TEST(ShownReason, IsNeverEmpty) { EXPECT_EQ(shown_reason("", {}), "the connection was lost"); }

}  // namespace
}  // namespace outrigger::store::postgres
