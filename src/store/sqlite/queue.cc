#include "store_sqlite/bell.h"
#include "store_sqlite/job_database.h"
#include "store_sqlite/stores.h"
#include "wire/error_json.h"

namespace outrigger::store {
namespace {

using sqlite::JobTable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kExpiredPerFinish = 8;
constexpr std::size_t kExpiredPerRecovery = 256;

class SqliteQueue final : public JobQueue {
 public:
  SqliteQueue(int dir_fd, std::string name, SqliteQueueOptions options)
      : options_(std::move(options)), database_(dir_fd, std::move(name), {options_.worker, sqlite::this_process()}) {}

  base::Status open() override {
    return database_.read("queue_open", [](JobTable&) {});
  }

  base::Status put(std::span<const Submission> jobs) override {
    const auto done = database_.write("queue_put", [&](JobTable& table) {
      for (const Submission& job : jobs) table.put(job);
    });
    if (done) bell_.ring();
    return done;
  }

  base::Result<JobView> look(const std::string& job_id) override {
    return database_.read("queue_look", [&](JobTable& table) { return table.look(job_id); });
  }

  base::Result<std::vector<JobState>> states(std::span<const std::string> job_ids) override {
    return database_.read("queue_states", [&](JobTable& table) {
      std::vector<JobState> states;
      for (const std::string& job_id : job_ids) states.push_back(table.state(job_id));
      return states;
    });
  }

  base::Result<CancelResult> cancel(const std::string& job_id) override {
    return database_.write("queue_cancel", [&](JobTable& table) -> CancelResult {
      const auto job = table.waiting(job_id);
      if (!job) {
        table.request_cancel(job_id);
        return table.state(job_id);
      }
      // A number of its own, as every claim has: by it the settlement is told from that of an attempt before.
      const std::uint32_t attempt = job->attempt + 1;
      table.claim(job_id, attempt, true, lease_end());
      return TakenJob{job_id, job->entry, attempt, true, job->last_failure};
    });
  }

  base::Result<std::vector<TakenJob>> take(std::size_t max, milliseconds wait, const Identify& identify) override {
    const auto deadline = steady_clock::now() + wait;
    if (!bell_.begin_round()) return std::vector<TakenJob>{};
    while (true) {
      auto taken = take_now(max, identify);
      if (!taken || !taken->empty() || !bell_.wait(deadline)) return taken;
    }
  }

  void interrupt() override { bell_.interrupt(); }

  base::Result<Settled> finish(const RunningJob& job, std::string_view result, std::chrono::seconds lifetime) override {
    return settle("queue_finish", job, [&](JobTable& table) {
      table.finish(job, std::string(result), false, sqlite::epoch_ms() + milliseconds(lifetime).count());
      table.remove_expired(kExpiredPerFinish);
    });
  }

  base::Result<Settled> bury(const RunningJob& job, std::string_view reason, std::string_view result,
                             std::chrono::seconds lifetime) override {
    return settle("queue_bury", job, [&](JobTable& table) {
      table.list_as_dead(job.job_id, std::string(reason));
      table.finish(job, std::string(result), true, sqlite::epoch_ms() + milliseconds(lifetime).count());
    });
  }

  base::Result<Settled> give_back(const RunningJob& job, std::string_view reason, bool counts) override {
    const auto settled = settle("queue_give_back", job, [&](JobTable& table) {
      table.put_back(job, counts ? std::optional<std::string>(reason) : std::nullopt);
    });
    if (settled) bell_.ring();
    return settled;
  }

  base::Result<std::vector<Holding>> renew(std::span<const RunningJob> running) override {
    if (running.empty()) return std::vector<Holding>{};
    return database_.write("queue_renew", [&](JobTable& table) {
      std::vector<Holding> holdings;
      for (const RunningJob& job : running) holdings.push_back(table.renew(job, lease_end()));
      return holdings;
    });
  }

  base::Result<std::size_t> recover() override {
    const auto recovered = database_.write("queue_recover", [&](JobTable& table) {
      table.remove_expired(kExpiredPerRecovery);
      return table.put_all_back(table.lapsed(sqlite::monotonic_ms()), "the worker's lease ran out");
    });
    if (recovered && *recovered > 0) bell_.ring();
    return recovered;
  }

  base::Result<QueueDepth> depth() override {
    return database_.read("queue_depth", [](JobTable& table) { return table.depth(); });
  }

 private:
  base::Result<std::vector<TakenJob>> take_now(std::size_t max, const Identify& identify) {
    while (true) {
      // Looking takes no lock and writes nothing.
      const auto any = database_.read("queue_take", [](JobTable& table) { return table.is_any_waiting(); });
      if (!any) return std::unexpected(any.error());
      if (!*any) return std::vector<TakenJob>{};
      auto taken = database_.write("queue_take", [&](JobTable& table) {
        std::vector<TakenJob> jobs;
        for (auto& waiting : table.waiting(max)) take_one(table, waiting, identify, jobs);
        return jobs;
      });
      if (!taken || !taken->empty()) return taken;  // else all of them were refused
    }
  }

  void take_one(JobTable& table, JobTable::Waiting& job, const Identify& identify, std::vector<TakenJob>& taken) {
    auto identified = identify(job.entry);
    if (identified && identified->job_id != job.job_id) {
      identified = std::unexpected<std::string>("the entry names another job");
    }
    if (!identified) {
      refuse(table, job, identified.error());
      return;
    }
    const std::uint32_t attempt = job.attempt + 1;
    table.claim(job.job_id, attempt, job.cancelled, lease_end());
    taken.push_back({job.job_id, std::move(identified->entry), attempt, job.cancelled, std::move(job.last_failure)});
  }

  void refuse(JobTable& table, const JobTable::Waiting& job, const std::string& reason) {
    table.list_as_dead(job.job_id, reason);
    table.finish({job.job_id, job.attempt}, wire::error_to_json({"invalid_request", reason, ""}), true,
                 sqlite::epoch_ms() + milliseconds(options_.refused_lifetime).count());
  }

  [[nodiscard]] std::int64_t lease_end() const { return sqlite::monotonic_ms() + options_.lease.count(); }

  template <typename Work>
  base::Result<Settled> settle(std::string_view step, const RunningJob& job, Work work) {
    return database_.write(step, [&](JobTable& table) {
      if (!table.is_ours(job)) return Settled::kNotOurs;
      work(table);
      return Settled::kFinal;
    });
  }

  SqliteQueueOptions options_;
  sqlite::JobDatabase database_;
  sqlite::Bell bell_;
};

}  // namespace

std::unique_ptr<JobQueue> make_sqlite_queue(int dir_fd, std::string name, SqliteQueueOptions options) {
  return std::make_unique<SqliteQueue>(dir_fd, std::move(name), std::move(options));
}

}  // namespace outrigger::store
