#include <gtest/gtest.h>

#include "cli/answer.h"

namespace outrigger::cli {
namespace {

model::Outcome ended(model::Status status, std::optional<int> code, const char* text) {
  model::Outcome outcome;
  outcome.status = status;
  outcome.exit_code = code;
  outcome.cause.text = text;
  return outcome;
}

TEST(ExitStatus, IsTheGuestsOwn) {
  EXPECT_EQ(exit_status(ended(model::Status::kCompleted, 0, "")), 0);
  EXPECT_EQ(exit_status(ended(model::Status::kFailed, 7, "")), 7);
  EXPECT_EQ(exit_status(ended(model::Status::kSignaled, 143, "")), 143);
  EXPECT_EQ(exit_status(ended(model::Status::kTimeout, 137, "")), 137);
}

TEST(ExitStatus, IsOutriggersWhereItFailed) {
  EXPECT_EQ(exit_status(ended(model::Status::kInternalError, std::nullopt, "")), kExitFailed);
  EXPECT_EQ(exit_status(ended(model::Status::kCancelled, std::nullopt, "")), kExitFailed);
}

TEST(EndNote, IsSilentAboutAPlainEnd) {
  EXPECT_EQ(end_note(ended(model::Status::kCompleted, 0, "exited with status 0")), "");
  EXPECT_EQ(end_note(ended(model::Status::kFailed, 1, "exited with status 1")), "");
}

TEST(EndNote, NamesStatusAndCauseOfAnyOther) {
  EXPECT_EQ(end_note(ended(model::Status::kTimeout, 137, "wall clock of 5000 ms passed")),
            "timeout: wall clock of 5000 ms passed");
}

}  // namespace
}  // namespace outrigger::cli
