#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/journal.h"
#include "audit/recovery.h"
#include "audit/run_log.h"
#include "audit/run_reader.h"
#include "audit/spool.h"
#include "audit/syncer.h"
#include "audit/writer.h"
#include "base/unique_fd.h"
#include "blocking/thread.h"
#include "store/audit_store.h"

namespace outrigger::audit {

struct TrailOptions {
  std::string node;  // this daemon's name for its machine
  std::string sink;  // "sqlite", "postgres": for people
  std::chrono::hours retention{0};
  Journal::Options journal;
  std::size_t max_in_memory = 10'000;  // records, where the disk takes none
  bool refuse_when_full = false;       // jobs, when a record might find no room
  std::chrono::milliseconds sync_interval{100};
};

// The audit trail: one row a job, whatever dies. Records go to the journal at once, and from there into the database
// by a thread of its own; asking goes by another. Single-threaded towards its user: the event loop's.
class Trail final : public RunLog, public RunReader {
 public:
  using MakeStore = std::function<std::unique_ptr<store::AuditStore>()>;

  // `spool_dir`: the journal's, of this daemon alone.
  Trail(base::UniqueFd spool_dir, const MakeStore& make_store, TrailOptions options);

  // Reads what an earlier process left; to be called once, before anything else. `cards`: as recover() takes them.
  base::Result<Recovered> open(const std::vector<std::string>& cards = {});
  // Starts the threads: after privileges have been given up.
  void start();
  // Writes what it can within the limit, and ends the threads. Waits.
  void stop(std::chrono::milliseconds limit);

  [[nodiscard]] base::Status admit() const override;
  void begin(model::RunRecord record) override;
  void end(model::RunRecord record) override;
  void hold(model::RunRecord record) override;
  void settle(const std::string& job_id, bool keep) override;

  boost::asio::awaitable<base::Result<std::vector<model::RunRecord>>> list(store::RunQuery query) override;
  boost::asio::awaitable<base::Result<std::optional<model::RunRecord>>> find(std::string job_id) override;
  [[nodiscard]] TrailState state() const override;

 private:
  void tell(RecordKind kind, model::RunRecord record);
  template <typename Ask>
  auto ask(Ask question) -> boost::asio::awaitable<std::invoke_result_t<Ask&, store::AuditStore&>>;

  TrailOptions options_;
  base::UniqueFd dir_;
  Journal journal_;
  Spool spool_;
  std::unique_ptr<store::AuditStore> written_store_;
  std::unique_ptr<store::AuditStore> read_store_;
  Writer writer_;
  Syncer syncer_;
  std::size_t asking_ = 0;
  blocking::Thread reader_;  // the last: it must end first
};

}  // namespace outrigger::audit
