#include "api/output_pieces.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace outrigger::api {
namespace {

using run::Stream;
using Pieces = std::vector<std::pair<Stream, std::string>>;

Pieces settled(OutputPieces& output) {
  Pieces pieces;
  output.settle([&pieces](Stream stream, const std::string& piece) { pieces.emplace_back(stream, piece); });
  EXPECT_TRUE(output.empty());
  return pieces;
}

TEST(OutputPieces, ComeOneAStreamTheFirstWrittenFirst) {
  OutputPieces output(model::OutputEncoding::kUtf8);
  output.wrote(Stream::kStderr, "e");
  output.wrote(Stream::kStdout, "o");
  output.wrote(Stream::kStderr, "f");
  EXPECT_EQ(settled(output), (Pieces{{Stream::kStderr, "ef"}, {Stream::kStdout, "o"}}));
  output.wrote(Stream::kStdout, "o");
  output.wrote(Stream::kStderr, "e");
  EXPECT_EQ(settled(output), (Pieces{{Stream::kStdout, "o"}, {Stream::kStderr, "e"}}));
  EXPECT_EQ(settled(output), Pieces{});
}

TEST(OutputPieces, KeepTheBeginningOfACharacter) {
  OutputPieces output(model::OutputEncoding::kUtf8);
  output.wrote(Stream::kStdout, "a\xc3");
  EXPECT_EQ(settled(output), (Pieces{{Stream::kStdout, "a"}}));
  output.wrote(Stream::kStdout, "\xa9");
  EXPECT_EQ(settled(output), (Pieces{{Stream::kStdout, "\xc3\xa9"}}));
  output.wrote(Stream::kStdout, "\xc3");
  output.end({});
  EXPECT_EQ(settled(output), (Pieces{{Stream::kStdout, "\xef\xbf\xbd"}}));
}

TEST(OutputPieces, AreAnyBytesInBase64) {
  OutputPieces output(model::OutputEncoding::kBase64);
  output.wrote(Stream::kStdout, std::string("\xff\0\xc3", 3));
  EXPECT_EQ(settled(output), (Pieces{{Stream::kStdout, "/wDD"}}));
}

}  // namespace
}  // namespace outrigger::api
