#include "witness/rounds.h"

#include <utility>

#include "base/log.h"
#include "witness/daemon_address.h"
#include "witness/own_findings.h"
#include "witness/published.h"

namespace outrigger::witness {
namespace {

using namespace std::chrono_literals;

// A daemon that is started again tells of the runs its death cut short; that may wait for a database.
constexpr auto kSummaryPatience = 60s;
// Events can be lost without a word (a directory that was replaced): once in a while all cards are compared.
constexpr unsigned kRescanEvery = 5;

fleet::CeilingOptions ceiling_of(const config::CrowsNest& settings) {
  fleet::CeilingOptions options;
  options.pause_at = settings.ceiling_percent / 100;
  options.resume_below = settings.resume_percent / 100;
  return options;
}

}  // namespace

Rounds::Rounds(const config::Config& config, ledger::Appender& executions, Incidents& incidents, int ledger_dir)
    : config_(config),
      incidents_(incidents),
      ledger_dir_(ledger_dir),
      estate_(config.paths),
      roster_(estate_, {},
              [this](const rules::Subject& subject, const rules::Finding& finding) {
                incidents_.report(subject, finding);
              }),
      intake_(estate_, roster_, executions, incidents, ledger_dir),
      fleet_(roster_, incidents, ceiling_of(config.crows_nest), config.crows_nest.interval),
      events_({[this](const std::string& id) { on_card(id); }, [this](const std::string& id) { on_card_gone(id); },
               [this](const std::string& name) {
                 if (settled_) intake_.take(name, Clock::now());
               },
               [this](const std::string& id) { roster_.look_at(id, Clock::now()); }}) {}

void Rounds::tick(Clock::time_point now) {
  fleet_.set_address(find_daemon(estate_, config_));
  if (find_estate()) {
    // Which summary belongs to which run is told by the cards: they first.
    if (look_at_everything_ || ++ticks_ % kRescanEvery == 0) look_at_cards(now);
    look_at_everything_ = false;
    intake_.take_all(now);
    roster_.look_at_all(now);
    for (const std::string& root : roster_.group_roots()) events_.watch_group_root(root);
    tell_of_jobs(now);
  }
  fleet_.look(now);
  intake_.settle();
}

void Rounds::drain_events() {
  if (events_.drain()) look_at_everything_ = true;
}

// The directories may come later than we do, and others may take their place.
bool Rounds::find_estate() {
  const auto opened = estate_.open();
  if (!opened) {
    if (waiting_for_ != opened.error().text()) {
      base::log(base::Level::kWarn, "nothing_to_watch_yet", {{"error", opened.error().text()}});
    }
    waiting_for_ = opened.error().text();
    return false;
  }
  waiting_for_.clear();
  if (*opened) {
    events_.watch_estate(estate_);
    look_at_everything_ = true;
  }
  if (!settled_) settle_left_over();
  return settled_;
}

// Nothing is taken before it is known what the auditor before us had written down.
void Rounds::settle_left_over() {
  settled_ = intake_.settle_left_over();
  if (!settled_) return;
  const auto ids = estate_.job_ids();
  incidents_.remember(ledger_dir_, {ids.begin(), ids.end()});
}

void Rounds::look_at_cards(Clock::time_point now) {
  look_at_everything_ ? roster_.reread(now) : roster_.rescan(now);
  events_.keep_only([this](const std::string& id) { return roster_.is_running(id); });
  // Those that ran before we did, or whose coming was lost. On v1 there is nothing to watch.
  if (roster_.driver() != sys::version_name(sys::CgroupVersion::kV2)) return;
  roster_.for_each_running([this](const roster::TrackedJob& job) {
    const std::string& id = job.subject().job_id;
    if (!events_.watches_job(id)) events_.watch_job(id, job.group().directory());
  });
}

void Rounds::on_card(const std::string& job_id) {
  roster_.card_came(job_id, Clock::now());
  events_.unwatch_job(job_id);  // of an earlier run, whose card this one took the place of
  events_.watch_job(job_id, roster_.group_directory(job_id));
}

void Rounds::on_card_gone(const std::string& job_id) {
  events_.unwatch_job(job_id);
  roster_.card_went(job_id, Clock::now());
}

void Rounds::tell_of_jobs(Clock::time_point now) {
  for (const rules::Subject& subject : roster_.without_summary(now, kSummaryPatience)) {
    incidents_.report(subject, summary_missing(subject));
  }
  if (roster_.namespaces_hidden() && !std::exchange(told_blindness_, true)) incidents_.report(namespaces_hidden());
}

MetricsSnapshot Rounds::snapshot() const {
  MetricsSnapshot now = snapshot_of(roster_, fleet_, intake_, incidents_);
  now.watching = waiting_for_.empty() && settled_;
  now.inotify_overflows = events_.overflows();
  return now;
}

}  // namespace outrigger::witness
