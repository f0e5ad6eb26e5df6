#include "cli/event_reader.h"

#include <gtest/gtest.h>

namespace outrigger::cli {
namespace {

std::string told(const std::vector<ServerEvent>& events) {
  std::string out;
  for (const ServerEvent& event : events) out += "[" + event.name + "|" + event.data + "]";
  return out;
}

constexpr std::string_view kText =
    ": a comment\n\nevent: started\ndata: {\"a\": 1}\n\nid: 7\r\nevent:stdout\r\ndata:x\r\ndata: y:z\r\n\r\n"
    "event: nothing\n\ndata\n\nevent: last\ndata: cut";
constexpr std::string_view kTold = "[started|{\"a\": 1}][stdout|x\ny:z][|]";

TEST(EventReader, ReadsEventsAndNothingElse) {
  EventReader reader;
  EXPECT_EQ(told(reader.push(kText)), kTold);
  EXPECT_EQ(told(reader.push(" off\n\n")), "[last|cut off]");
}

TEST(EventReader, DoesNotMindWhereThePiecesEnd) {
  for (std::size_t size = 1; size < 9; ++size) {
    EventReader reader;
    std::string all;
    for (std::size_t at = 0; at < kText.size(); at += size) all += told(reader.push(kText.substr(at, size)));
    EXPECT_EQ(all, kTold) << size;
  }
}

}  // namespace
}  // namespace outrigger::cli
