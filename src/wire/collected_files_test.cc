#include "wire/collected_files.h"

#include <gtest/gtest.h>

#include "wire/outcome_json.h"

namespace outrigger::wire {
namespace {

using model::OutputEncoding;

std::string text_of(const model::CollectedFile& file, OutputEncoding encoding) {
  JsonWriter writer;
  write_collected_files(writer, {file}, encoding);
  return writer.take();
}

TEST(CollectedFiles, GoAsTextWhereTheyAre) {
  const model::CollectedFile file{"out/a.txt", "h\u00e9\n", 0755, 4, std::nullopt};
  EXPECT_EQ(
      text_of(file, OutputEncoding::kUtf8),
      "[{\"path\":\"out/a.txt\",\"bytes\":4,\"mode\":\"0755\",\"encoding\":\"utf8\",\"content\":\"h\u00e9\\n\"}]");
  EXPECT_EQ(text_of(file, OutputEncoding::kBase64),
            R"([{"path":"out/a.txt","bytes":4,"mode":"0755","encoding":"base64","content":"aMOpCg=="}])");
}

TEST(CollectedFiles, GoAsBase64WhereTheyAreNoText) {
  const model::CollectedFile file{"a", std::string("\0\xff", 2), 0644, 2, std::nullopt};
  EXPECT_EQ(text_of(file, OutputEncoding::kUtf8),
            R"([{"path":"a","bytes":2,"mode":"0644","encoding":"base64","content":"AP8="}])");
  for (const std::string& content : {std::string("\0", 1), std::string("\x1b[0m"), std::string("\xc3")}) {
    const model::CollectedFile other{"a", content, 0644, content.size(), std::nullopt};
    EXPECT_NE(text_of(other, OutputEncoding::kUtf8).find("base64"), std::string::npos);
  }
  const model::CollectedFile lines{"a", "a\tb\r\n", 0644, 5, std::nullopt};
  EXPECT_NE(text_of(lines, OutputEncoding::kUtf8).find(R"("a\tb\r\n")"), std::string::npos);
}

TEST(CollectedFiles, SayWhyTheyAreNotThere) {
  EXPECT_EQ(text_of({"a", {}, 0, std::nullopt, model::Cause{"symlink", "is a symbolic link"}}, OutputEncoding::kUtf8),
            R"([{"path":"a","bytes":null,"error":{"code":"symlink","message":"is a symbolic link"}}])");
  EXPECT_EQ(text_of({"a", {}, 0, 99, model::Cause{"too_large", "x"}}, OutputEncoding::kUtf8),
            R"([{"path":"a","bytes":99,"error":{"code":"too_large","message":"x"}}])");
}

TEST(CollectedFiles, ComeBackAsTheyWent) {
  model::Outcome outcome;
  outcome.job_id = "0123";
  outcome.tenant_id = "t";
  outcome.language = "python";
  outcome.status = model::Status::kCompleted;
  outcome.exit_code = 0;
  outcome.cause = {"exited", "exited with status 0"};
  outcome.files = {{"a", std::string("\0\xff", 2), 0600, 2, std::nullopt},
                   {"b\n", "text", 0755, 4, std::nullopt},
                   {"c", {}, 0, 7, model::Cause{"too_large", "why"}},
                   {"d", {}, 0, std::nullopt, model::Cause{"not_found", "no"}}};
  for (const OutputEncoding encoding : {OutputEncoding::kUtf8, OutputEncoding::kBase64}) {
    const auto parsed = parse_outcome(outcome_to_json(outcome, encoding), encoding);
    ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
    ASSERT_EQ(parsed->files.size(), outcome.files.size());
    for (std::size_t i = 0; i < outcome.files.size(); ++i) {
      const model::CollectedFile& was = outcome.files[i];
      const model::CollectedFile& is = parsed->files[i];
      EXPECT_EQ(is.path, was.path);
      EXPECT_EQ(is.content, was.content);
      EXPECT_EQ(is.bytes, was.bytes);
      ASSERT_EQ(is.error.has_value(), was.error.has_value());
      if (is.error) {
        EXPECT_EQ(is.error->code, was.error->code);
      } else {
        EXPECT_EQ(is.mode, was.mode);
      }
    }
  }
}

}  // namespace
}  // namespace outrigger::wire
