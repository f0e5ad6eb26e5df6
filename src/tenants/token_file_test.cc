#include "tenants/token_file.h"

#include <sys/stat.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tenants/test_place.h"
#include "tenants/token_editor.h"

namespace outrigger::tenants {
namespace {

using std::chrono::system_clock;
using TokenFileTest = TestPlace;

TEST_F(TokenFileTest, WhatIsNotThereIsAnEmptyList) {
  EXPECT_TRUE(read_tokens(path_)->tokens.empty());
  std::filesystem::create_directories(path_.parent_path());
  EXPECT_TRUE(read_tokens(path_)->tokens.empty());
}

TEST_F(TokenFileTest, WhatOthersMayReachIsRefused) {
  write("");
  ASSERT_TRUE(read_tokens(path_).has_value());
  for (const unsigned mode : {0644U, 0660U, 0641U}) {
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    EXPECT_EQ(read_tokens(path_).error().code, base::Code::kInvalid) << mode;
  }
}

TEST_F(TokenFileTest, WhatIsNoFileIsRefusedAndHoldsNobody) {
  std::filesystem::create_directories(path_.parent_path());
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(read_tokens(path_).error().code, base::Code::kInvalid);
}

TEST_F(TokenFileTest, AnotherFileOfTheNameIsAnotherState) {
  write("# a\n");
  const auto file = TokenFile::open(path_);
  const auto first = file->look();
  EXPECT_EQ(file->read()->value().state, first->value());
  EXPECT_EQ(file->look()->value(), first->value());
  std::filesystem::rename(path_, directory_ / "away");
  EXPECT_FALSE(file->look()->has_value());
  write("# a\n");
  EXPECT_NE(file->look()->value(), first->value());
}

TEST_F(TokenFileTest, AnEditLeavesOtherLinesAsTheyAre) {
  const Token by_hand = token_of("acme", "hand", "x");
  const std::string before = "# the first\n  " + line_of(by_hand) + "  \n\n";
  write(before);
  {
    auto editor = TokenEditor::open(path_, ::getgid());
    ASSERT_TRUE(editor.has_value()) << editor.error().text();
    editor->add(token_of("*", "ops", "y"));
    ASSERT_TRUE(editor->save());
  }
  EXPECT_TRUE(text().starts_with(before)) << text();
  const auto list = read_tokens(path_);
  ASSERT_EQ(list->tokens.size(), 2U);
  EXPECT_EQ(list->tokens.back().id, "ops");
  struct stat about{};
  ASSERT_EQ(::stat(path_.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777U, 0640U);
}

TEST_F(TokenFileTest, ARevokedTokenStaysAsSuch) {
  auto editor = TokenEditor::open(path_, ::getgid());
  ASSERT_TRUE(editor.has_value()) << editor.error().text();
  editor->add(token_of("acme", "a", "x"));
  EXPECT_TRUE(editor->revoke("a", system_clock::now()));
  EXPECT_FALSE(editor->revoke("a", system_clock::now())) << "it is already";
  EXPECT_FALSE(editor->revoke("b", system_clock::now()));
  ASSERT_TRUE(editor->save());
  const auto list = read_tokens(path_);
  ASSERT_EQ(list->tokens.size(), 1U);
  EXPECT_TRUE(list->tokens.front().revoked.has_value());
}

TEST_F(TokenFileTest, QuotasOfATenantAreOneLine) {
  auto editor = TokenEditor::open(path_, ::getgid());
  ASSERT_TRUE(editor.has_value());
  Quotas quotas;
  quotas.concurrent = 2;
  editor->set_quotas("acme", quotas);
  quotas.concurrent = 3;
  editor->set_quotas("acme", quotas);
  ASSERT_TRUE(editor->save());
  EXPECT_EQ(read_tokens(path_)->quotas.at("acme").concurrent, 3U);
  editor->set_quotas("acme", {});
  ASSERT_TRUE(editor->save());
  EXPECT_EQ(text(), "");
}

TEST_F(TokenFileTest, ABrokenFileIsNotChanged) {
  write("{\n");
  EXPECT_FALSE(TokenEditor::open(path_, ::getgid()).has_value());
  EXPECT_EQ(text(), "{\n");
}

TEST_F(TokenFileTest, WhoEditsAtATimeUndoesNothingOfTheOthers) {
  constexpr int kThreads = 4;
  constexpr int kEach = 25;
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread, &failed] {
      for (int i = 0; i < kEach; ++i) {
        auto editor = TokenEditor::open(path_, ::getgid());
        if (!editor) {
          ++failed;
          continue;
        }
        const std::string id = std::to_string(thread) + "-" + std::to_string(i);
        editor->add(token_of("acme", id, id));
        if (!editor->save()) ++failed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
  const auto list = read_tokens(path_);
  ASSERT_TRUE(list.has_value()) << list.error().text();
  EXPECT_EQ(list->tokens.size(), static_cast<std::size_t>(kThreads * kEach));
}

}  // namespace
}  // namespace outrigger::tenants
