#pragma once

#include <atomic>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ledger/appender.h"
#include "ledger/query.h"
#include "roster/test_state.h"
#include "witness/incidents.h"
#include "witness/ledger_place.h"

// For tests: both ledgers of an auditor, in a state directory.
namespace outrigger::witness {

// A disk that takes nothing while `full`.
class FullFile : public ledger::SegmentFile {
 public:
  FullFile(const std::atomic<bool>& full, std::unique_ptr<ledger::SegmentFile> real)
      : full_(full), real_(std::move(real)) {}
  base::Result<std::uint64_t> size() override { return real_->size(); }
  base::Result<std::size_t> write(std::string_view bytes) override {
    if (full_) return base::system_error("test", "write", ENOSPC);
    return real_->write(bytes);
  }
  base::Status sync() override { return real_->sync(); }
  base::Status truncate(std::uint64_t size) override { return real_->truncate(size); }

 private:
  const std::atomic<bool>& full_;
  std::unique_ptr<ledger::SegmentFile> real_;
};

class TestLedgers {
 public:
  explicit TestLedgers(const roster::TestState& state, std::size_t most_queued = 1000)
      : dir_(std::move(make_ledger_dir(state.paths()).value())),
        execution_(open(kExecutionLedger, most_queued)),
        incidents_(open(kIncidentLedger, most_queued)) {}
  ~TestLedgers() { full_ = false; }
  TestLedgers(const TestLedgers&) = delete;
  TestLedgers& operator=(const TestLedgers&) = delete;

  [[nodiscard]] int dir() const { return dir_.get(); }
  [[nodiscard]] ledger::Appender& execution() const { return *execution_; }
  [[nodiscard]] ledger::Appender& incidents() const { return *incidents_; }
  void fill_disk(bool full) { full_ = full; }

  // Those on the disk, oldest first.
  [[nodiscard]] std::vector<std::string> lines(const char* name, const ledger::Filter& filter = {}) const {
    std::vector<std::string> lines;
    const auto take = [&lines](std::string_view line) {
      lines.emplace_back(line);
      return true;
    };
    if (!ledger::find(dir(), name, filter, ledger::Order::kOldestFirst, take)) throw std::runtime_error(name);
    return lines;
  }
  // What has been added to it is on the disk.
  static bool flush(const ledger::Appender& ledger) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    return ledger.wait_durable(ledger.durable() + ledger.queued(), deadline);
  }

 private:
  std::unique_ptr<ledger::Appender> open(const char* name, std::size_t most_queued) {
    ledger::AppenderOptions options;
    options.max_queued = most_queued;
    options.first_pause = options.longest_pause = std::chrono::milliseconds(1);
    options.open_segment = [this](int dir, const std::string& file,
                                  bool create) -> base::Result<std::unique_ptr<ledger::SegmentFile>> {
      auto real = ledger::open_segment_file(dir, file, create);
      if (!real) return real;
      return std::make_unique<FullFile>(full_, std::move(*real));
    };
    auto opened = ledger::Appender::open(dir_.get(), name, std::move(options));
    if (!opened) throw std::runtime_error(opened.error().text());
    return std::move(*opened);
  }

  std::atomic<bool> full_ = false;
  base::UniqueFd dir_;
  std::unique_ptr<ledger::Appender> execution_;
  std::unique_ptr<ledger::Appender> incidents_;
};

}  // namespace outrigger::witness
