// The order of things. A run goes through the auditor like this:
//   card appears     -> the job is looked at at once, then at each interval and at each change of its events files
//   summary appears  -> last look, verdict, line to the ledger; the summary is removed once that is on the disk
//   card disappears  -> without a summary within kSummaryPatience: an incident
//   group disappears -> forgotten; it should have done so within seconds of the end
#include "witness/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/log.h"
#include "ledger/appender.h"
#include "page_server/page_server.h"
#include "roster/roster.h"
#include "sys/small_file.h"
#include "witness/alerts.h"
#include "witness/daemon_address.h"
#include "witness/events.h"
#include "witness/fleet_watch.h"
#include "witness/incidents.h"
#include "witness/intake.h"
#include "witness/ledger_place.h"
#include "witness/protection.h"
#include "witness/published.h"

namespace outrigger::witness {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A daemon that is started again tells of the runs its death cut short; that may wait for a database.
constexpr auto kSummaryPatience = 60s;
// Events can be lost without a word (a directory that was replaced): once in a while all cards are compared.
constexpr unsigned kRescanEvery = 5;
constexpr auto kFlushPatience = 10s;

sigset_t end_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

void tell_of_opening(Incidents& incidents, const char* name, const ledger::Opening& opening) {
  if (opening.cut_bytes > 0) {
    incidents.report({"ledger_repaired",
                      rules::Severity::kWarning,
                      "an unfinished line at the end of " + opening.cut_file + " was cut off (" +
                          std::to_string(opening.cut_bytes) + " bytes): its writer died, and it was never acknowledged",
                      {{"ledger", std::string(name)},
                       {"file", opening.cut_file},
                       {"bytes", opening.cut_bytes},
                       {"text", opening.cut_text}}});
  }
  if (opening.broken) {
    incidents.report({"ledger_broken",
                      rules::Severity::kCritical,
                      "the " + std::string(name) + " ledger: " + *opening.broken,
                      {{"ledger", std::string(name)}}});
  }
}

class WatchImpl final : public Watch {
 public:
  WatchImpl(WatchOptions options, base::UniqueFd ledger_dir, std::unique_ptr<ledger::Appender> executions,
            std::unique_ptr<ledger::Appender> incident_ledger)
      : options_(std::move(options)),
        settings_(options_.config.crows_nest),
        ledger_dir_(std::move(ledger_dir)),
        executions_(std::move(executions)),
        incident_ledger_(std::move(incident_ledger)),
        alerts_(settings_.webhook_url, options_.config.webhook.secret),
        incidents_(*incident_ledger_, alerts_),
        estate_(options_.config.paths),
        roster_(estate_, {},
                [this](const rules::Subject& subject, const rules::Finding& finding) {
                  incidents_.report(subject, finding);
                }),
        intake_(estate_, roster_, *executions_, incidents_, ledger_dir_.get()),
        fleet_(roster_, incidents_,
               {settings_.ceiling_percent / 100, settings_.resume_percent / 100, std::chrono::seconds{10}},
               settings_.interval),
        events_({[this](const std::string& id) { on_card(id); }, [this](const std::string& id) { on_card_gone(id); },
                 [this](const std::string& name) { intake_.take(name, Clock::now()); },
                 [this](const std::string& id) { roster_.look_at(id, Clock::now()); }}) {}

  base::Status serve_metrics() {
    if (settings_.metrics_listen.empty()) return {};
    auto page = [this] { return published_.page(options_.version); };
    auto server = families::PageServer::listen(settings_.metrics_listen, std::move(page));
    if (!server) return std::unexpected(server.error());
    page_server_ = std::move(*server);
    return {};
  }

  base::Status run() override {
    const sigset_t set = end_signals();
    const base::UniqueFd signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals) return base::system_error("watch_signals");
    tell_of_opening(incidents_, kExecutionLedger, executions_->opening());
    tell_of_opening(incidents_, kIncidentLedger, incident_ledger_->opening());
    base::log(base::Level::kInfo, "watching",
              {{"state", options_.config.paths.run_dir.string()},
               {"interval_ms", std::to_string(settings_.interval.count())},
               {"version", options_.version}});
    Clock::time_point due = Clock::now();
    while (!has_ended(signals.get())) {
      const auto now = Clock::now();
      if (now >= due) {
        tick(now);
        // From what was due, so that intervals keep their length; after a standstill, from now.
        due = std::max(due + settings_.interval, Clock::now());
      }
      wait(signals.get(), due);
    }
    return finish();
  }

 private:
  static bool has_ended(int signals) {
    signalfd_siginfo info{};
    return ::read(signals, &info, sizeof info) == sizeof info;
  }

  void wait(int signals, Clock::time_point due) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
    std::array<pollfd, 4> fds{{{signals, POLLIN, 0},
                               {events_.fd(), POLLIN, 0},
                               {executions_->durable_event(), POLLIN, 0},
                               {incident_ledger_->durable_event(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), static_cast<int>(std::max<std::int64_t>(left.count(), 0))) <= 0) return;
    if (fds[1].revents != 0 && events_.drain()) look_at_everything_ = true;
    if (fds[2].revents != 0) intake_.settle();
    if (fds[3].revents != 0) incident_ledger_->take_durable();
  }

  // The directories may come later than we do, and others may take their place.
  bool find_estate() {
    const auto opened = estate_.open();
    if (!opened) {
      if (waiting_for_ != opened.error().text()) {
        base::log(base::Level::kWarn, "nothing_to_watch_yet", {{"error", opened.error().text()}});
      }
      waiting_for_ = opened.error().text();
      return false;
    }
    waiting_for_.clear();
    if (!*opened) return true;
    events_.watch_estate(estate_);
    look_at_everything_ = true;
    if (!settled_) {
      const auto ids = estate_.job_ids();
      incidents_.remember(ledger_dir_.get(), {ids.begin(), ids.end()});
      intake_.settle_left_over();
      settled_ = true;
    }
    return true;
  }

  void tick(Clock::time_point now) {
    fleet_.set_address(find_daemon(estate_, options_.config));
    if (find_estate()) {
      // Which summary belongs to which run is told by the cards: they first.
      if (look_at_everything_ || ++ticks_ % kRescanEvery == 0) look_at_cards(now);
      look_at_everything_ = false;
      intake_.take_all(now);
      roster_.look_at_all(now);
      for (const std::string& root : roster_.group_roots()) events_.watch_group_root(root);
      for (const rules::Subject& subject : roster_.without_summary(now, kSummaryPatience)) tell_of_missing(subject);
      if (roster_.namespaces_hidden()) tell_of_blindness();
    }
    fleet_.look(now);
    intake_.settle();
    if (page_server_) publish();
  }

  void look_at_cards(Clock::time_point now) {
    look_at_everything_ ? roster_.reread(now) : roster_.rescan(now);
    events_.keep_only([this](const std::string& id) { return roster_.is_running(id); });
    // Those that ran before we did, or whose coming was lost. On v1 there is nothing to watch.
    if (roster_.driver() != sys::version_name(sys::CgroupVersion::kV2)) return;
    roster_.for_each_running([this](const roster::TrackedJob& job) {
      const std::string& id = job.subject().job_id;
      if (!events_.watches_job(id)) events_.watch_job(id, job.group_directory());
    });
  }

  void on_card(const std::string& job_id) {
    roster_.card_came(job_id, Clock::now());
    events_.unwatch_job(job_id);  // of an earlier run, whose card this one took the place of
    events_.watch_job(job_id, roster_.group_directory(job_id));
  }

  void on_card_gone(const std::string& job_id) {
    events_.unwatch_job(job_id);
    roster_.card_went(job_id, Clock::now());
  }

  // Escapes are seen by where processes are: who can't look there must not be taken for one that sees none.
  void tell_of_blindness() {
    if (std::exchange(told_blindness_, true)) return;
    incidents_.report(
        {"namespaces_hidden",
         rules::Severity::kWarning,
         "the pid namespaces of jobs' processes can't be read, so a process outside its jail would not be "
         "noticed: the auditor needs CAP_SYS_PTRACE, and a /proc that hides nothing",
         {}});
  }

  void tell_of_missing(const rules::Subject& subject) {
    incidents_.report(subject,
                      {"summary_missing",
                       rules::Severity::kCritical,
                       "the job's card is gone, and no termination summary of it has come within a minute: its end is "
                       "not in the execution ledger",
                       {{"language", subject.language}}});
  }

  void publish() {
    MetricsSnapshot now = snapshot_of(roster_, fleet_, intake_, incidents_);
    for (const auto& [name, appender] :
         {std::pair{kExecutionLedger, executions_.get()}, std::pair{kIncidentLedger, incident_ledger_.get()}}) {
      const ledger::AppenderState state = appender->state();
      now.ledger_lines[name] = state.lines_written;
      now.ledger_errors[name] = state.errors;
    }
    now.watching = waiting_for_.empty();
    now.inotify_overflows = events_.overflows();
    const Alerts::State alerts = alerts_.state();
    now.alerts_sent = alerts.sent;
    now.alerts_dropped = alerts.dropped;
    published_.set(std::move(now));
  }

  base::Status finish() {
    base::log(base::Level::kInfo, "ending", {{"summaries_under_way", std::to_string(intake_.under_way())}});
    const std::size_t left = executions_->close(kFlushPatience);
    intake_.settle();
    const std::size_t lost = incident_ledger_->close(kFlushPatience);
    if (left > 0) {
      base::log(base::Level::kWarn, "lines_not_written",
                {{"lines", std::to_string(left)}, {"effect", "their summaries stay in the spool"}});
    }
    if (lost > 0) base::log(base::Level::kError, "incidents_not_written", {{"incidents", std::to_string(lost)}});
    return {};
  }

  WatchOptions options_;
  const config::CrowsNest& settings_;
  base::UniqueFd ledger_dir_;
  std::unique_ptr<ledger::Appender> executions_;
  std::unique_ptr<ledger::Appender> incident_ledger_;
  Alerts alerts_;
  Incidents incidents_;
  roster::Estate estate_;
  roster::Roster roster_;
  Intake intake_;
  FleetWatch fleet_;
  Events events_;
  Published published_;
  std::unique_ptr<families::PageServer> page_server_;
  std::string waiting_for_;
  unsigned ticks_ = 0;
  bool look_at_everything_ = true;
  bool settled_ = false;
  bool told_blindness_ = false;
};

}  // namespace

void block_end_signals() {
  sigset_t set = end_signals();
  sigaddset(&set, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

base::Result<std::unique_ptr<Watch>> Watch::open(WatchOptions options) {
  if (const auto checked = Alerts::check(options.config.crows_nest.webhook_url); !checked) {
    return base::failure(base::Code::kInvalid, "alerts", "the webhook's URL is none: " + checked.error().context);
  }
  auto dir = make_ledger_dir(options.config.paths);
  if (!dir) return std::unexpected(dir.error());
  ledger::AppenderOptions appending;
  appending.segment_bytes = options.config.crows_nest.ledger_segment_bytes;
  auto executions = ledger::Appender::open(dir->get(), kExecutionLedger, appending);
  if (!executions) return std::unexpected(executions.error());
  auto incidents = ledger::Appender::open(dir->get(), kIncidentLedger, appending);
  if (!incidents) return std::unexpected(incidents.error());
  protect_from_oom_killer();
  raise_descriptor_limit();
  auto watch =
      std::make_unique<WatchImpl>(std::move(options), std::move(*dir), std::move(*executions), std::move(*incidents));
  if (const auto served = watch->serve_metrics(); !served) return std::unexpected(served.error());
  return watch;
}

}  // namespace outrigger::witness
