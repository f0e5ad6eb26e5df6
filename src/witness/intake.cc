#include "witness/intake.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/log.h"
#include "ledger/match.h"
#include "ledger/query.h"
#include "sys/small_file.h"
#include "wire/time_text.h"
#include "witness/lines.h"

namespace outrigger::witness {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;

constexpr std::size_t kMostWaiting = 50'000;  // of the ledger's own bound; the rest waits in the spool
constexpr std::size_t kRecentRuns = 65'536;
// A daemon that comes back tells of the runs that were cut short by its death, once more of those whose summary it had
// just written; their times are those of another clock reading.
constexpr auto kSameRun = 60s;
// The ledger's clock may have been set back since.
constexpr auto kClockMargin = 1h;
constexpr const char* kRejected = "rejected";

std::uint64_t hash_of(const wire::Termination& summary) {
  const model::Outcome& outcome = summary.outcome;
  return std::hash<std::string>{}(outcome.job_id + "/" + std::to_string(summary.attempt) + "/" +
                                  std::to_string(outcome.started_at.time_since_epoch().count()));
}

bool is_of_this_run(std::string_view line, const wire::Termination& summary) {
  const std::string attempt = "\"attempt\":" + std::to_string(summary.attempt) + ",";
  if (line.find(attempt) == std::string_view::npos) return false;
  const auto text = ledger::text_member(line, "started_at");
  const auto started = text ? wire::parse_time(*text) : std::nullopt;
  if (!started) return false;
  const auto apart = *started > summary.outcome.started_at ? *started - summary.outcome.started_at
                                                           : summary.outcome.started_at - *started;
  return summary.outcome.status == model::Status::kInterrupted ? apart < kSameRun : apart < 1ms;
}

}  // namespace

Intake::Intake(const roster::Estate& estate, roster::Roster& roster, ledger::Appender& ledger, Incidents& incidents,
               int ledger_dir)
    : estate_(estate), roster_(roster), ledger_(ledger), incidents_(incidents), ledger_dir_(ledger_dir) {
  // A first one is a rise only from a zero that was seen.
  for (const std::string_view code : rules::kCauseCodes) by_cause_.emplace(code, 0);
  for (const char* event : {"max", "oom_kill"}) memory_events_.emplace(event, 0);
}

Intake::Parsed Intake::read(const std::string& file_name) const {
  const auto text = sys::read_file_at(estate_.terminations(), file_name.c_str());
  if (!text && text.error().code == base::Code::kTooLarge) return {std::nullopt, "it is too large"};
  if (!text) {
    if (text.error().errno_value != ENOENT) {
      base::log(base::Level::kError, "summary_not_read", {{"file", file_name}, {"error", text.error().text()}});
    }
    return {std::nullopt, {}};
  }
  auto summary = wire::parse_termination(*text);
  if (!summary) return {std::nullopt, summary.error().message};
  return {std::move(*summary), {}};
}

std::optional<bool> Intake::is_known(const wire::Termination& summary) const {
  bool known = false;
  const ledger::Filter filter{.job_id = summary.outcome.job_id, .since = summary.outcome.ended_at - kClockMargin};
  const auto look = [&](std::string_view line) {
    known = is_of_this_run(line, summary);
    return !known;
  };
  const auto read = ledger::find(ledger_dir_, kExecutionLedger, filter, ledger::Order::kNewestFirst, look);
  if (read) return known;
  base::log(base::Level::kError, "ledger_not_read", {{"error", read.error().text()}});
  return std::nullopt;
}

bool Intake::settle_left_over() {
  std::map<std::string, std::vector<std::string>> files;  // by job
  auto oldest = system_clock::now();
  for (const std::string& name : roster::file_names(estate_.terminations())) {
    const Parsed parsed = read(name);
    if (!parsed.summary) continue;
    files[parsed.summary->outcome.job_id].push_back(name);
    oldest = std::min(oldest, parsed.summary->outcome.ended_at);
  }
  if (files.empty()) return true;
  std::set<std::string> ids;
  for (const auto& [id, names] : files) ids.insert(id);
  const auto known = ledger::known(ledger_dir_, kExecutionLedger, ids, oldest - kClockMargin);
  if (!known) {
    base::log(base::Level::kError, "ledger_not_read", {{"error", known.error().text()}});
    return false;
  }
  for (const std::string& id : *known) {
    for (const std::string& name : files.at(id)) {
      const Parsed parsed = read(name);
      const std::optional<bool> has_line = parsed.summary ? is_known(*parsed.summary) : false;
      if (!has_line) return false;
      if (*has_line) remove(name);
    }
  }
  return true;
}

void Intake::take_all(Clock::time_point now) {
  const std::vector<std::string> again(stuck_.begin(), stuck_.end());
  for (const std::string& name : again) remove(name);
  std::vector<std::string> names = roster::file_names(estate_.terminations());
  // Ids sort by time: the ledger tells of runs about in the order they ended, also after a long absence.
  std::ranges::sort(names);
  for (const std::string& name : names) take(name, now);
}

void Intake::take(const std::string& file_name, Clock::time_point now) {
  if (file_name.starts_with('.') || under_way_.contains(file_name) || stuck_.contains(file_name)) return;
  if (waiting_.size() >= kMostWaiting || !add_held()) return;
  const Parsed parsed = read(file_name);
  if (!parsed.summary) {
    if (!parsed.fault.empty()) reject(file_name, parsed.fault);
    return;
  }
  const wire::Termination& summary = *parsed.summary;
  const bool doubtful = summary.outcome.status == model::Status::kInterrupted || recent_.contains(hash_of(summary));
  // Its line may be on its way still: then the file stays until it is not.
  if (doubtful && !waiting_.empty()) return;
  const std::optional<bool> known = doubtful ? is_known(summary) : false;
  if (!known) return;
  if (*known) return remove(file_name);
  const roster::Death death = roster_.ended(summary, now);
  held_ = Held{file_name, execution_members(summary, death)};
  under_way_.insert(file_name);
  remember(summary);
  count(summary, death);
  if (!add_held()) base::log(base::Level::kError, "ledger_takes_nothing", {{"effect", "summaries stay in the spool"}});
}

// A run is judged once, so its line is kept where the ledger has no room for it; what comes after it waits in the
// spool.
bool Intake::add_held() {
  if (!held_) return true;
  const auto ticket = ledger_.add(held_->members);
  if (!ticket) return false;
  waiting_.emplace_back(*ticket, std::move(held_->file));
  held_.reset();
  return true;
}

void Intake::remember(const wire::Termination& summary) {
  const std::uint64_t hash = hash_of(summary);
  if (!recent_.insert(hash).second) return;
  recent_order_.push_back(hash);
  if (recent_order_.size() <= kRecentRuns) return;
  recent_.erase(recent_order_.front());
  recent_order_.pop_front();
}

void Intake::settle() {
  const std::uint64_t durable = ledger_.take_durable();
  while (!waiting_.empty() && waiting_.front().first <= durable) {
    remove(waiting_.front().second);
    under_way_.erase(waiting_.front().second);
    waiting_.pop_front();
  }
  add_held();
}

void Intake::remove(const std::string& file_name) {
  if (::unlinkat(estate_.terminations(), file_name.c_str(), 0) == 0 || errno == ENOENT) {
    stuck_.erase(file_name);
    return;
  }
  if (!stuck_.insert(file_name).second) return;
  base::log(base::Level::kError, "summary_not_removed",
            {{"file", file_name}, {"error", base::errno_name(errno)}, {"remedy", "the auditor needs to write there"}});
}

// Out of the way, for somebody to look at: it would be read again and again.
void Intake::reject(const std::string& file_name, const std::string& fault) {
  ::mkdirat(ledger_dir_, kRejected, 0750);
  const std::string there = std::string(kRejected) + "/" + file_name;
  std::string place = "it was moved to ledger/" + there;
  if (::renameat(estate_.terminations(), file_name.c_str(), ledger_dir_, there.c_str()) != 0) {
    // Another file system, or no right: what nobody can read is not kept twice.
    place = "it could not be kept (" + base::errno_name(errno) + ")";
    remove(file_name);
  }
  incidents_.report({"bad_summary",
                     rules::Severity::kCritical,
                     "the termination summary " + file_name + " is none: " + fault + "; " + place,
                     {{"file", file_name}, {"fault", fault}}});
}

void Intake::count(const wire::Termination& summary, const roster::Death& death) {
  ++by_cause_[death.cause.code];
  if (!death.observed) ++missed_;
  memory_events_["oom_kill"] += summary.outcome.usage.oom_kills.value_or(0);
  memory_events_["max"] += summary.outcome.usage.memory_limit_hits.value_or(0);
}

}  // namespace outrigger::witness
