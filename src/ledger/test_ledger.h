#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "ledger/appender.h"
#include "ledger/verify.h"

// What the room's tests have in common.
namespace outrigger::ledger {

inline constexpr std::string_view kTestName = "execution";

// In memory (/dev/shm, if there is one) is for tests that write thousands of ledgers.
enum class Where { kDisk, kMemory };

// A directory of its own, removed in the end.
class TestDir {
 public:
  explicit TestDir(Where where = Where::kDisk);
  TestDir(const TestDir&) = delete;
  TestDir& operator=(const TestDir&) = delete;
  ~TestDir();

  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // The ledger's files, oldest first.
  [[nodiscard]] std::vector<std::filesystem::path> segments() const;
  [[nodiscard]] std::string read(const std::filesystem::path& file) const;
  void write(const std::filesystem::path& file, std::string_view content) const;
  // Of all segments, without newlines.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  std::filesystem::path path_;
  base::UniqueFd fd_;
};

// Not opened within a test's time is a failure of the test, and ends it.
std::unique_ptr<Appender> open_appender(const TestDir& dir, AppenderOptions options = {});

// Adds `"n":<from>` and so on, and waits until they are on the disk.
void add_numbers(Appender& appender, int from, int count);

// A chain of lines with newlines, of which number i says `"n":i`.
std::vector<std::string> make_chain(int count, std::string_view name = kTestName, const Head* after = nullptr);

std::string join(const std::vector<std::string>& lines);

// "edited 3, removed 5": kinds and seqs.
std::string summary(const Verification& verification);

Verification verify_or_fail(const TestDir& dir, std::vector<std::string> anchors = {});

std::chrono::steady_clock::time_point soon();

}  // namespace outrigger::ledger
