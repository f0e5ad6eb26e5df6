#include "audit/recovery.h"

#include <map>
#include <string>

#include "base/log.h"
#include "wire/run_record.h"

namespace outrigger::audit {
namespace {

constexpr std::size_t kReadBytes = 4U << 20;

base::Result<std::map<std::string, Record>> find_open(const Journal& journal) {
  std::map<std::string, Record> open;
  Position at = journal.begin();
  while (at < journal.end()) {
    auto batch = journal.read(at, kReadBytes);
    if (!batch) return std::unexpected(batch.error());
    if (batch->next == at) break;
    at = batch->next;
    for (Record& record : batch->records) {
      const std::string job_id = record.job_id;
      if (record.kind == RecordKind::kBegin || record.kind == RecordKind::kHold) {
        open.insert_or_assign(job_id, std::move(record));
      } else {
        open.erase(job_id);
      }
    }
  }
  return open;
}

}  // namespace

base::Result<Recovered> recover(const Journal& journal, Spool& spool, std::chrono::system_clock::time_point now) {
  auto open = find_open(journal);
  if (!open) return std::unexpected(open.error());
  Recovered recovered;
  for (auto& [job_id, record] : *open) {
    auto row = wire::parse_run_record(record.content);
    if (!row) {
      base::log(base::Level::kError, "audit_record_unreadable", {{"job_id", job_id}, {"error", row.error().text()}});
      spool.add({RecordKind::kDrop, job_id, {}});
    } else if (record.kind == RecordKind::kHold) {
      spool.add(std::move(record));
      recovered.held.push_back(std::move(*row));
    } else if (row->origin == model::Origin::kQueue) {
      spool.add({RecordKind::kDrop, job_id, {}});
    } else {
      row->outcome.ended_at = now;
      spool.add({RecordKind::kEnd, job_id, wire::run_record_json(*row)});
      recovered.interrupted.push_back(std::move(*row));
    }
  }
  return recovered;
}

}  // namespace outrigger::audit
