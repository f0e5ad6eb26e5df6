// Fuzzes what reads a ledger's lines (src/ledger/line.h) and what judges them (verify.h): a text that somebody put
// where the ledger was. By hand:
//   clang++-19 -std=c++23 -g -O1 -fsanitize=fuzzer,address -Isrc fuzz/ledger_line.cc src/ledger/{line,segments,
//     line_reader,scan,fault,gaps,chain_check,verify}.cc src/digest/digest.cc src/sys/small_file.cc src/base/error.cc
//     -lcrypto
// The first byte of an input says what is done with the rest:
//   even  the rest is the text of a ledger's file: it must not verify, unless it is a chain that we could have written
//   odd   the rest is cut into lines' members, rendered, and must be read back as it was and verify; then one byte of
//   it
//         is changed, which must be found

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "ledger/line.h"
#include "ledger/segments.h"
#include "ledger/verify.h"

namespace {

using namespace outrigger;

constexpr std::string_view kName = "fuzz";
constexpr std::string_view kTime = "2025-01-31T09:30:00.125000Z";

void must(bool fact) {
  if (!fact) std::abort();
}

// A directory in memory, for as long as the process lives.
class Directory {
 public:
  Directory() {
    must(::mkdtemp(path_.data()) != nullptr);
    fd_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    ::close(fd_);
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] int fd() const { return fd_; }

 private:
  std::string path_ = "/dev/shm/fuzz-ledger-XXXXXX";
  int fd_ = -1;
};

int directory() {
  static const Directory dir;
  return dir.fd();
}

ledger::Verification verify_text(std::string_view text) {
  static const std::string file = ledger::segment_file_name(kName, 1);
  const int fd = ::openat(directory(), file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  must(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  ::close(fd);
  auto result = ledger::verify(directory(), kName);
  must(result.has_value());
  return *result;
}

// Nobody guesses a SHA-256: what verifies is what append_line() makes of its own parts, so no line at all, unless the
// corpus holds a real chain.
void judge_foreign(std::string_view text) {
  const ledger::Verification result = verify_text(text);
  must(result.fault_count >= result.faults.size());
  std::string again;
  ledger::Head head = ledger::before_first(kName);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view piece = text.substr(begin, end - begin);
    begin = end + 1;
    const auto line = ledger::parse_line(piece);
    if (!line) continue;
    must(line->seq > 0 && line->prev.size() == ledger::kHashDigits && line->hash.size() == ledger::kHashDigits);
    must(piece.starts_with(line->content) && line->content.ends_with(line->members));
    head = ledger::append_line(again, head, line->recorded_at, line->members);
  }
  must(result.sound() == (again == text));
}

void judge_own(std::string_view bytes) {
  std::string text;
  std::uint64_t lines = 0;
  ledger::Head head = ledger::before_first(kName);
  std::string_view rest = bytes;
  while (!rest.empty() && lines < 16) {
    const std::string_view members = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), members.size() + 1));
    const std::size_t begin = text.size();
    const ledger::Head next = ledger::append_line(text, head, kTime, members);
    const std::string_view line_text = std::string_view(text).substr(begin, text.size() - begin - 1);
    const auto line = ledger::parse_line(line_text);
    must(line.has_value() && line->seq == next.seq && line->prev == head.hash && line->hash == next.hash);
    must(ledger::hash_of(*line) == next.hash && line->recorded_at == kTime);
    must(line->members.size() == members.size());
    std::string again;
    ledger::append_line(again, head, line->recorded_at, line->members);
    must(again == std::string(line_text) + "\n");
    head = next;
    ++lines;
  }
  ledger::Verification result = verify_text(text);
  must(result.sound() && result.lines == lines);
  must(lines == 0 || result.head == head);
  if (text.empty()) return;
  std::string changed = text;
  changed[(bytes.size() * 7919) % changed.size()] ^= static_cast<char>(1 + bytes.size() % 255);
  must(!verify_text(changed).sound());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    judge_foreign(rest);
  } else {
    judge_own(rest);
  }
  return 0;
}
