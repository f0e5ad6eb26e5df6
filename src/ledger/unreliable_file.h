#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "base/unique_fd.h"
#include "ledger/segment_file.h"

namespace outrigger::ledger {

// Decides which calls fail. One for all files of a test.
struct Mishaps {
  std::mt19937 random{1};
  unsigned one_in = 0;                   // 0: none
  std::atomic<int> errno_for_writes{0};  // every one fails
  std::atomic<bool> fail_sync{false};
  bool strikes() { return one_in > 0 && random() % one_in == 0; }
};

// After a sync that failed the kernel may have dropped what was to be written: here it always has.
class UnreliableFile : public SegmentFile {
 public:
  UnreliableFile(Mishaps& mishaps, std::unique_ptr<SegmentFile> real, std::filesystem::path path)
      : mishaps_(mishaps), real_(std::move(real)), path_(std::move(path)), synced_(real_->size().value()) {}

  base::Result<std::uint64_t> size() override {
    if (mishaps_.strikes()) return base::system_error("test", "size", EIO);
    return real_->size();
  }
  base::Result<std::size_t> write(std::string_view bytes) override {
    if (const int error = mishaps_.errno_for_writes) return base::system_error("test", "write", error);
    if (mishaps_.strikes()) return base::system_error("test", "write", mishaps_.random() % 2 == 0 ? EIO : ENOSPC);
    if (mishaps_.strikes()) bytes = bytes.substr(0, 1 + mishaps_.random() % bytes.size());
    return real_->write(bytes);
  }
  base::Status sync() override {
    if (mishaps_.fail_sync || mishaps_.strikes()) {
      lose_unsynced();
      return base::system_error("test", "sync", EIO);
    }
    synced_ = real_->size().value();
    return real_->sync();
  }
  base::Status truncate(std::uint64_t size) override {
    if (mishaps_.strikes()) return base::system_error("test", "truncate", EIO);
    return real_->truncate(size);
  }

 private:
  void lose_unsynced() {
    const base::UniqueFd fd(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    const std::string zeros(real_->size().value() - synced_, '\0');
    EXPECT_EQ(::pwrite(fd.get(), zeros.data(), zeros.size(), static_cast<off_t>(synced_)),
              static_cast<ssize_t>(zeros.size()));
  }

  Mishaps& mishaps_;
  std::unique_ptr<SegmentFile> real_;
  std::filesystem::path path_;
  std::uint64_t synced_;
};

}  // namespace outrigger::ledger
