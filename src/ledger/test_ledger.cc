#include "ledger/test_ledger.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "ledger/segments.h"

namespace outrigger::ledger {

namespace fs = std::filesystem;

TestDir::TestDir(Where where) {
  const bool in_memory = where == Where::kMemory && ::access("/dev/shm", W_OK) == 0;
  std::string pattern = (in_memory ? std::string("/dev/shm") : testing::TempDir()) + "/ledger-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
  path_ = pattern;
  fd_.reset(::open(pattern.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

TestDir::~TestDir() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<fs::path> TestDir::segments() const {
  std::vector<fs::path> files;
  const auto found = list_segments(fd(), kTestName);
  if (!found) throw std::runtime_error(found.error().text());
  for (const Segment& segment : *found) files.push_back(path_ / segment.file);
  return files;
}

std::string TestDir::read(const fs::path& file) const {
  std::ifstream in(path_ / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void TestDir::write(const fs::path& file, std::string_view content) const {
  std::ofstream(path_ / file, std::ios::binary | std::ios::trunc) << content;
}

std::vector<std::string> TestDir::lines() const {
  std::vector<std::string> lines;
  for (const fs::path& file : segments()) {
    std::istringstream text(read(file));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  }
  return lines;
}

std::unique_ptr<Appender> open_appender(const TestDir& dir, AppenderOptions options) {
  auto opened = Appender::open(dir.fd(), kTestName, std::move(options));
  if (!opened) throw std::runtime_error(opened.error().text());
  return std::move(*opened);
}

void add_numbers(Appender& appender, int from, int count) {
  std::uint64_t ticket = 0;
  for (int i = from; i < from + count; ++i) {
    const auto added = appender.add("\"n\":" + std::to_string(i));
    ASSERT_TRUE(added.has_value()) << added.error().text();
    ticket = *added;
  }
  ASSERT_TRUE(appender.wait_durable(ticket, soon())) << appender.state().trouble;
}

std::vector<std::string> make_chain(int count, std::string_view name, const Head* after) {
  std::vector<std::string> lines;
  Head head = after != nullptr ? *after : before_first(name);
  for (int i = 0; i < count; ++i) {
    std::string line;
    head = append_line(line, head, "2025-01-31T09:30:00.125000Z", "\"n\":" + std::to_string(head.seq + 1));
    lines.push_back(line);
  }
  return lines;
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string summary(const Verification& verification) {
  std::string text;
  for (const Fault& fault : verification.faults) {
    if (!text.empty()) text += ", ";
    text += std::string(fault_name(fault.kind)) + " " + std::to_string(fault.seq);
  }
  return text;
}

Verification verify_or_fail(const TestDir& dir, std::vector<std::string> anchors) {
  auto result = verify(dir.fd(), kTestName, {.anchors = std::move(anchors)});
  if (!result) throw std::runtime_error(result.error().text());
  return *result;
}

// Far enough to be met only by what hangs.
std::chrono::steady_clock::time_point soon() { return std::chrono::steady_clock::now() + std::chrono::seconds(60); }

}  // namespace outrigger::ledger
