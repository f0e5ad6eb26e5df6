#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/job_queue.h"
#include "store_sqlite/connection.h"

namespace outrigger::store::sqlite {

// Whose a running job is. The worker's name outlives a restart, the process's does not.
struct Owner {
  std::string worker;
  std::string process;
};

// A name that no other process has or had.
std::string this_process();

std::int64_t epoch_ms();      // expiry of results: may outlive the process
std::int64_t monotonic_ms();  // leases: end with the process, and don't jump with the clock

// The tables of a queue, over one connection. No function here begins a transaction: who calls several has them in one.
// All throw SQLite::Exception.
class JobTable {
 public:
  JobTable(Connection& connection, const Owner& owner) : connection_(connection), owner_(owner) {}

  struct Waiting {
    std::string job_id;
    std::string entry;
    std::uint32_t attempt = 0;  // how many were begun
    bool cancelled = false;
    std::string last_failure;
  };

  // Nothing where it is known already.
  void put(const Submission& job);
  JobView look(const std::string& job_id);
  JobState state(const std::string& job_id);
  bool is_any_waiting();
  std::vector<Waiting> waiting(std::size_t max);
  std::optional<Waiting> waiting(const std::string& job_id);

  // From waiting to running.
  void claim(const std::string& job_id, std::uint32_t attempt, bool cancelled, std::int64_t lease_until_ms);
  void request_cancel(const std::string& job_id);
  Holding renew(const RunningJob& job, std::int64_t lease_until_ms);
  [[nodiscard]] bool is_ours(const RunningJob& job);
  // To the head of those that wait; `failure` is nothing where the attempt does not count.
  void put_back(const RunningJob& job, const std::optional<std::string>& failure);
  // Their attempts are used up; `what_happened` while they ran. How many they are.
  std::size_t put_all_back(std::span<const RunningJob> jobs, std::string_view what_happened);

  // Into the dead list, the entry with it. finish() still has to follow.
  void list_as_dead(const std::string& job_id, const std::string& reason);
  void finish(const RunningJob& job, const std::string& result, bool dead, std::int64_t expires_at_ms);
  void remove_expired(std::size_t at_most);

  // Running jobs, in the order to put them back in: of other processes, or of this one with the lease run out.
  std::vector<RunningJob> of_other_processes();
  std::vector<RunningJob> lapsed(std::int64_t now_ms);
  QueueDepth depth();

 private:
  std::uint64_t count(const std::string& what);

  Connection& connection_;
  const Owner& owner_;
};

}  // namespace outrigger::store::sqlite
