#pragma once

#include <gtest/gtest.h>

#include "store_sqlite/stores.h"
#include "store_sqlite/test_directory.h"

namespace outrigger::store::sqlite {

// Entries are "ID text"; one that begins with "bad" is refused.
inline std::expected<Identified, std::string> identify_test_entry(std::string_view raw) {
  if (raw.starts_with("bad")) return std::unexpected<std::string>("it is bad");
  return Identified{std::string(raw.substr(0, raw.find(' '))), std::string(raw)};
}

class QueueTest : public DirectoryTest {
 protected:
  void put(const std::string& job_id) const { put(job_id, job_id + " entry"); }
  void put(const std::string& job_id, const std::string& entry) const {
    const auto done = queue_->put(std::vector{Submission{job_id, entry}});
    ASSERT_TRUE(done.has_value()) << done.error().text();
  }
  [[nodiscard]] std::vector<TakenJob> take(std::size_t max = 10, std::chrono::milliseconds wait = {}) const {
    auto taken = queue_->take(max, wait, identify_test_entry);
    EXPECT_TRUE(taken.has_value()) << taken.error().text();
    return taken.value_or(std::vector<TakenJob>{});
  }
  // "a:1 b:2 ": ids and attempts.
  [[nodiscard]] std::string taken(std::size_t max = 10) const {
    std::string text;
    for (const auto& job : take(max)) text += job.job_id + ":" + std::to_string(job.attempt) + " ";
    return text;
  }
  [[nodiscard]] Settled finish(const std::string& job_id, std::uint32_t attempt) const {
    return queue_->finish({job_id, attempt}, "{}", std::chrono::hours{1}).value();
  }
  [[nodiscard]] Settled give_back(const std::string& job_id, std::uint32_t attempt, bool counts) const {
    return queue_->give_back({job_id, attempt}, "it broke", counts).value();
  }
  [[nodiscard]] JobState state(const std::string& job_id) const {
    const auto looked = queue_->look(job_id).value().state;
    EXPECT_EQ(queue_->states(std::vector{job_id}).value(), std::vector{looked});
    return looked;
  }

  std::unique_ptr<JobQueue> queue_ = make_sqlite_queue(dir_);
};

}  // namespace outrigger::store::sqlite
