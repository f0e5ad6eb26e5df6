#include "store_sqlite/job_table.h"

#include <unistd.h>

#include <chrono>

#include "base/ids.h"
#include "wire/time_text.h"

namespace outrigger::store::sqlite {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::system_clock;

// What makes a running job this worker's.
constexpr std::string_view kOurs = " WHERE job_id = ? AND running = 1 AND worker = ? AND process = ? AND attempt = ?";

const std::string kWaiting =
    "SELECT job_id, entry, attempt, cancel_requested, last_failure FROM jobs JOIN job_entries USING (job_id) "
    "WHERE running = 0";

const std::string kRunning = "SELECT job_id, attempt FROM jobs WHERE running = 1";

JobTable::Waiting waiting_at(Prepared& row) {
  return {row.text_at(0), row.text_at(1), static_cast<std::uint32_t>(row.number_at(2)), row.number_at(3) != 0,
          row.text_at(4)};
}

std::vector<RunningJob> running_in(Prepared& select) {
  std::vector<RunningJob> found;
  while (select.step()) found.push_back({select.text_at(0), static_cast<std::uint32_t>(select.number_at(1))});
  return found;
}

JobState final_state(std::int64_t dead) { return dead != 0 ? JobState::kDead : JobState::kFinished; }

}  // namespace

std::string this_process() {
  static const std::string kName = base::new_job_id();
  return kName + "." + std::to_string(::getpid());  // a fork has another
}

std::int64_t epoch_ms() { return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count(); }

std::int64_t monotonic_ms() {
  return duration_cast<milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void JobTable::put(const Submission& job) {
  Prepared insert = connection_.prepare(
      "INSERT INTO jobs (job_id, position) "
      "SELECT ?1, coalesce((SELECT max(position) FROM jobs WHERE running = 0), 0) + 1 "
      "WHERE NOT EXISTS (SELECT 1 FROM job_results WHERE job_id = ?1 AND expires_at_ms > ?2) "
      "ON CONFLICT (job_id) DO NOTHING");
  if (insert.text(job.job_id).number(epoch_ms()).execute() == 0) return;
  connection_.prepare("INSERT INTO job_entries VALUES (?, ?)").text(job.job_id).text(job.entry).execute();
}

JobView JobTable::look(const std::string& job_id) {
  Prepared alive = connection_.prepare(
      "SELECT running, attempt, cancel_requested, worker, entry FROM jobs JOIN job_entries USING (job_id) "
      "WHERE job_id = ?");
  if (alive.text(job_id).step()) {
    return {alive.number_at(0) != 0 ? JobState::kRunning : JobState::kQueued,
            static_cast<std::uint32_t>(alive.number_at(1)),
            alive.number_at(2) != 0,
            alive.text_at(3),
            alive.text_at(4),
            {}};
  }
  Prepared final = connection_.prepare(
      "SELECT dead, attempt, worker, result FROM job_results WHERE job_id = ? AND expires_at_ms > ?");
  if (!final.text(job_id).number(epoch_ms()).step()) return {};
  return {final_state(final.number_at(0)),
          static_cast<std::uint32_t>(final.number_at(1)),
          false,
          final.text_at(2),
          {},
          final.text_at(3)};
}

JobState JobTable::state(const std::string& job_id) {
  Prepared alive = connection_.prepare("SELECT running FROM jobs WHERE job_id = ?");
  if (alive.text(job_id).step()) return alive.number_at(0) != 0 ? JobState::kRunning : JobState::kQueued;
  Prepared final = connection_.prepare("SELECT dead FROM job_results WHERE job_id = ? AND expires_at_ms > ?");
  if (!final.text(job_id).number(epoch_ms()).step()) return JobState::kUnknown;
  return final_state(final.number_at(0));
}

bool JobTable::is_any_waiting() { return connection_.prepare("SELECT 1 FROM jobs WHERE running = 0 LIMIT 1").step(); }

std::vector<JobTable::Waiting> JobTable::waiting(std::size_t max) {
  Prepared select = connection_.prepare(kWaiting + " ORDER BY position LIMIT ?");
  select.number(static_cast<std::int64_t>(max));
  std::vector<Waiting> found;
  while (select.step()) found.push_back(waiting_at(select));
  return found;
}

std::optional<JobTable::Waiting> JobTable::waiting(const std::string& job_id) {
  Prepared select = connection_.prepare(kWaiting + " AND job_id = ?");
  if (!select.text(job_id).step()) return std::nullopt;
  return waiting_at(select);
}

void JobTable::claim(const std::string& job_id, std::uint32_t attempt, bool cancelled, std::int64_t lease_until_ms) {
  Prepared update = connection_.prepare(
      "UPDATE jobs SET running = 1, attempt = ?, cancel_requested = ?, worker = ?, process = ?, lease_until_ms = ? "
      "WHERE job_id = ?");
  update.number(attempt).number(cancelled ? 1 : 0).text(owner_.worker).text(owner_.process).number(lease_until_ms);
  update.text(job_id).execute();
}

void JobTable::request_cancel(const std::string& job_id) {
  connection_.prepare("UPDATE jobs SET cancel_requested = 1 WHERE job_id = ?").text(job_id).execute();
}

Holding JobTable::renew(const RunningJob& job, std::int64_t lease_until_ms) {
  Prepared update =
      connection_.prepare("UPDATE jobs SET lease_until_ms = ?" + std::string(kOurs) + " RETURNING cancel_requested");
  update.number(lease_until_ms).text(job.job_id).text(owner_.worker).text(owner_.process).number(job.attempt);
  if (!update.step()) return Holding::kLost;
  return update.number_at(0) != 0 ? Holding::kCancelled : Holding::kOurs;
}

bool JobTable::is_ours(const RunningJob& job) {
  Prepared select = connection_.prepare("SELECT 1 FROM jobs" + std::string(kOurs));
  return select.text(job.job_id).text(owner_.worker).text(owner_.process).number(job.attempt).step();
}

// An attempt that does not count leaves the reason of the one before it.
void JobTable::put_back(const RunningJob& job, const std::optional<std::string>& failure) {
  Prepared update = connection_.prepare(
      "UPDATE jobs SET running = 0, worker = '', process = '', lease_until_ms = 0, "
      "position = coalesce((SELECT min(position) FROM jobs WHERE running = 0), 0) - 1, "
      "attempt = CASE WHEN ?1 IS NULL THEN max(attempt - 1, 0) ELSE attempt END, "
      "last_failure = coalesce(?1, last_failure) WHERE job_id = ?2");
  failure ? update.text(*failure) : update.null();
  update.text(job.job_id).execute();
}

std::size_t JobTable::put_all_back(std::span<const RunningJob> jobs, std::string_view what_happened) {
  for (const RunningJob& job : jobs) {
    put_back(job, std::string(what_happened) + " while attempt " + std::to_string(job.attempt) + " ran");
  }
  return jobs.size();
}

void JobTable::list_as_dead(const std::string& job_id, const std::string& reason) {
  const std::string now = wire::time_text(system_clock::now());
  Prepared insert = connection_.prepare(
      "INSERT INTO dead_jobs (job_id, entry, reason, died_at) SELECT job_id, entry, ?, ? FROM job_entries "
      "WHERE job_id = ?");
  insert.text(reason).text(now).text(job_id).execute();
}

void JobTable::finish(const RunningJob& job, const std::string& result, bool dead, std::int64_t expires_at_ms) {
  connection_.prepare("DELETE FROM jobs WHERE job_id = ?").text(job.job_id).execute();
  connection_.prepare("DELETE FROM job_entries WHERE job_id = ?").text(job.job_id).execute();
  Prepared insert = connection_.prepare("INSERT OR REPLACE INTO job_results VALUES (?, ?, ?, ?, ?, ?)");
  insert.text(job.job_id).number(dead ? 1 : 0).number(job.attempt).text(owner_.worker).text(result);
  insert.number(expires_at_ms).execute();
}

void JobTable::remove_expired(std::size_t at_most) {
  Prepared remove = connection_.prepare(
      "DELETE FROM job_results WHERE job_id IN "
      "(SELECT job_id FROM job_results WHERE expires_at_ms <= ? ORDER BY expires_at_ms LIMIT ?)");
  remove.number(epoch_ms()).number(static_cast<std::int64_t>(at_most)).execute();
}

std::vector<RunningJob> JobTable::of_other_processes() {
  Prepared select = connection_.prepare(kRunning + " AND process <> ? ORDER BY position DESC");
  return running_in(select.text(owner_.process));
}

std::vector<RunningJob> JobTable::lapsed(std::int64_t now_ms) {
  Prepared select = connection_.prepare(kRunning + " AND process = ? AND lease_until_ms < ? ORDER BY position DESC");
  return running_in(select.text(owner_.process).number(now_ms));
}

QueueDepth JobTable::depth() {
  return {count("jobs WHERE running = 0"), count("jobs WHERE running = 1"), count("dead_jobs")};
}

std::uint64_t JobTable::count(const std::string& what) {
  Prepared select = connection_.prepare("SELECT count(*) FROM " + what);
  select.step();
  return static_cast<std::uint64_t>(select.number_at(0));
}

}  // namespace outrigger::store::sqlite
