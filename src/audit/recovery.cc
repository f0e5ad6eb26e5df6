#include "audit/recovery.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/log.h"
#include "wire/run_record.h"

namespace outrigger::audit {
namespace {

constexpr std::size_t kReadBytes = 4U << 20;

struct Found {
  std::map<std::string, Record> open;
  std::vector<Record> ended;  // although a card says that they run
};

void take_in(Record record, const std::set<std::string, std::less<>>& cards, Found& found) {
  const std::string job_id = record.job_id;
  const bool has_row = record.kind == RecordKind::kEnd || record.kind == RecordKind::kHold;
  if (has_row && cards.contains(job_id)) found.ended.push_back(record);
  if (record.kind == RecordKind::kBegin || record.kind == RecordKind::kHold) {
    found.open.insert_or_assign(job_id, std::move(record));
  } else {
    found.open.erase(job_id);
  }
}

base::Result<Found> read_all(const Journal& journal, const std::set<std::string, std::less<>>& cards) {
  Found found;
  Position at = journal.begin();
  while (at < journal.end()) {
    auto batch = journal.read(at, kReadBytes);
    if (!batch) return std::unexpected(batch.error());
    if (batch->next == at) break;
    at = batch->next;
    for (Record& record : batch->records) take_in(std::move(record), cards, found);
  }
  return found;
}

std::optional<model::RunRecord> row_of(const Record& record) {
  auto row = wire::parse_run_record(record.content);
  if (row) return std::move(*row);
  base::log(base::Level::kError, "audit_record_unreadable", {{"job_id", record.job_id}, {"error", row.error().text()}});
  return std::nullopt;
}

void settle_open(Record record, Spool& spool, Recovered& recovered) {
  const std::string job_id = record.job_id;
  auto row = row_of(record);
  const bool told_by_another = row && row->origin == model::Origin::kQueue && record.kind == RecordKind::kBegin;
  if (!row || told_by_another) {
    spool.add({RecordKind::kDrop, job_id, {}});
  } else if (record.kind == RecordKind::kHold) {
    spool.add(std::move(record));
    recovered.held.push_back(std::move(*row));
  } else {
    row->outcome.ended_at = std::chrono::system_clock::now();
    spool.add({RecordKind::kEnd, job_id, wire::run_record_json(*row)});
    recovered.unreported.push_back(std::move(*row));
  }
}

}  // namespace

base::Result<Recovered> recover(const Journal& journal, Spool& spool, const std::vector<std::string>& cards) {
  auto found = read_all(journal, {cards.begin(), cards.end()});
  if (!found) return std::unexpected(found.error());
  Recovered recovered;
  for (const Record& record : found->ended) {
    if (auto row = row_of(record)) recovered.unreported.push_back(std::move(*row));
  }
  for (auto& [job_id, record] : found->open) settle_open(std::move(record), spool, recovered);
  return recovered;
}

}  // namespace outrigger::audit
