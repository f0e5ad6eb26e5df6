#include "wire/trace_context.h"

#include <gtest/gtest.h>

namespace outrigger::wire {
namespace {

// The standard's own example.
const std::string kGood = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(TraceContext, ReadsWhatTheStandardShows) {
  const auto context = parse_traceparent(kGood);
  ASSERT_TRUE(context.has_value());
  EXPECT_EQ(context->trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(context->parent_id, "00f067aa0ba902b7");
  EXPECT_EQ(context->flags, "01");
  EXPECT_EQ(trace_id_of(kGood), context->trace_id);
}

TEST(TraceContext, ReadsWhatItKnowsOfALaterVersion) {
  const std::string rest = kGood.substr(2);
  EXPECT_TRUE(parse_traceparent("01" + rest).has_value());
  EXPECT_TRUE(parse_traceparent("cc" + rest + "-what-the-future-will-be-like").has_value());
  EXPECT_TRUE(parse_traceparent("cc" + rest + "-").has_value());
  EXPECT_FALSE(parse_traceparent("cc" + rest + ".what").has_value());
  EXPECT_FALSE(parse_traceparent("ff" + rest).has_value());
}

TEST(TraceContext, LetsNothingElsePass) {
  for (const std::string& bad : {
           std::string(),
           std::string("00"),
           kGood.substr(0, kGood.size() - 1),
           kGood + "0",
           kGood + "-",
           kGood + "-00",
           " " + kGood,
           kGood + " ",
           std::string("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"),
           std::string("00-4bf92f3577b34da6a3ce929d0e0e4736-00F067AA0BA902B7-01"),
           std::string("00-00000000000000000000000000000000-00f067aa0ba902b7-01"),
           std::string("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"),
           std::string("00-4bf92f3577b34da6a3ce929d0e0e473-000f067aa0ba902b7-01"),
           std::string("00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
           std::string("00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01"),
           std::string("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x"),
           std::string("0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
           std::string("00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01"),
       }) {
    EXPECT_FALSE(parse_traceparent(bad).has_value()) << bad;
    EXPECT_EQ(trace_id_of(bad), "") << bad;
  }
}

TEST(TraceContext, GoesOnWithTheJobAsParent) {
  const auto context = parse_traceparent(kGood);
  const std::string next = traceparent_of(*context, "job-1");
  const auto read = parse_traceparent(next);
  ASSERT_TRUE(read.has_value()) << next;
  EXPECT_EQ(read->trace_id, context->trace_id);
  EXPECT_EQ(read->parent_id, span_id_of("job-1"));
  EXPECT_NE(span_id_of("job-1"), span_id_of("job-2"));
  EXPECT_EQ(read->flags, "01");
  const auto unsampled = parse_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-fe");
  EXPECT_TRUE(traceparent_of(*unsampled, "job-1").ends_with("-00")) << "flags that are not known are not passed on";
}

}  // namespace
}  // namespace outrigger::wire
