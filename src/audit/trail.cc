#include "audit/trail.h"

#include "base/utf8.h"
#include "wire/run_record.h"

namespace outrigger::audit {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// How long an answer about runs waits for the rows of jobs that have just ended.
constexpr std::chrono::milliseconds kFresh = 2s;
constexpr std::size_t kMaxAsking = 64;
// Room that is kept for what running jobs have still to tell.
constexpr std::uint64_t kReserve = 1U << 20;

// One rule for every sink: what is not UTF-8, and the zero character, which PostgreSQL has no place for, become U+FFFD.
void make_storable(std::string& text) {
  if (!base::is_utf8(text)) text = base::to_utf8(text);
  for (std::size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) {
    text.replace(at, 1, "\xef\xbf\xbd");
  }
}

void make_storable(model::RunRecord& record) {
  model::Outcome& outcome = record.outcome;
  outcome.stdout_stream.data.clear();
  outcome.stderr_stream.data.clear();
  for (std::string* text : {&outcome.cause.code, &outcome.cause.text, &outcome.language, &outcome.tenant_id,
                            &record.command, &record.node}) {
    make_storable(*text);
  }
  for (model::SecurityEvent& event : outcome.security_events) {
    make_storable(event.detail);
    make_storable(event.syscall);
  }
}

}  // namespace

Trail::Trail(base::UniqueFd spool_dir, const MakeStore& make_store, TrailOptions options)
    : options_(std::move(options)),
      dir_(std::move(spool_dir)),
      journal_(dir_.get(), options_.journal),
      spool_(journal_, options_.max_in_memory),
      written_store_(make_store()),
      read_store_(make_store()),
      writer_(spool_, journal_, *written_store_, {options_.retention, dir_.get()}),
      syncer_(journal_, options_.sync_interval) {}

base::Result<Recovered> Trail::open(const std::vector<std::string>& cards) {
  if (const base::Status opened = journal_.open(); !opened) return std::unexpected(opened.error());
  return recover(journal_, spool_, cards);
}

void Trail::start() {
  writer_.start();
  syncer_.start();
}

void Trail::stop(std::chrono::milliseconds limit) {
  reader_.join();
  const bool all_written = writer_.stop(limit);
  syncer_.stop();
  // Else the next process would read it all again, and find every row there.
  if (all_written && spool_.nothing_open() && journal_.open_next()) journal_.remove_before(journal_.end());
}

base::Status Trail::admit() const {
  if (!options_.refuse_when_full || !state().spool_full) return {};
  return base::failure(base::Code::kUnavailable, "audit", "its spool is full, and no job may run without a row");
}

void Trail::tell(RecordKind kind, model::RunRecord record) {
  record.node = options_.node;
  make_storable(record);
  Record told{kind, record.outcome.job_id, wire::run_record_json(record)};
  if (kind == RecordKind::kBegin) {
    spool_.add(std::move(told));
  } else {
    spool_.add(std::move(told), std::move(record));
  }
}

void Trail::begin(model::RunRecord row) {
  // What its row is to say if nothing else is heard of it.
  row.outcome.status = model::Status::kInterrupted;
  row.outcome.cause = {"daemon_died", "the daemon ended while the job ran; how far it came is not known"};
  row.outcome.ended_at = row.outcome.started_at;
  tell(RecordKind::kBegin, std::move(row));
}

void Trail::end(model::RunRecord record) { tell(RecordKind::kEnd, std::move(record)); }

void Trail::hold(model::RunRecord record) { tell(RecordKind::kHold, std::move(record)); }

void Trail::settle(const std::string& job_id, bool keep) {
  spool_.add({keep ? RecordKind::kKeep : RecordKind::kDrop, job_id, {}});
}

template <typename Ask>
auto Trail::ask(Ask question) -> asio::awaitable<std::invoke_result_t<Ask&, store::AuditStore&>> {
  if (asking_ >= kMaxAsking) co_return base::failure(base::Code::kExhausted, "audit", "too many questions at a time");
  ++asking_;
  auto work = [this, question = std::move(question)]() mutable {
    writer_.wait_written(kFresh);
    return question(*read_store_);
  };
  auto answer = co_await reader_.call(std::move(work));
  --asking_;
  co_return answer;
}

asio::awaitable<base::Result<std::vector<model::RunRecord>>> Trail::list(store::RunQuery query) {
  auto question = [query = std::move(query)](store::AuditStore& store) { return store.list(query); };
  auto answer = co_await ask(std::move(question));
  co_return answer;
}

asio::awaitable<base::Result<std::optional<model::RunRecord>>> Trail::find(std::string job_id) {
  auto question = [job_id = std::move(job_id)](store::AuditStore& store) { return store.find(job_id); };
  auto answer = co_await ask(std::move(question));
  co_return answer;
}

TrailState Trail::state() const {
  const Writer::State written = writer_.state();
  const Spool::State spool = spool_.state();
  TrailState state;
  state.sink = options_.sink;
  state.database_away = !written.trouble.empty();
  state.spool_bytes = journal_.bytes();
  state.spool_full = !spool.trouble.empty() || state.spool_bytes + kReserve > options_.journal.max_bytes;
  state.trouble = state.database_away ? written.trouble : spool.trouble;
  state.rows = written.rows;
  state.in_memory = spool.in_memory;
  state.lost = spool.lost;
  state.rejected = written.rejected;
  return state;
}

}  // namespace outrigger::audit
