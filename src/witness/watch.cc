#include "witness/watch.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/log.h"
#include "ledger/appender.h"
#include "page_server/page_server.h"
#include "witness/alerts.h"
#include "witness/end_signals.h"
#include "witness/incidents.h"
#include "witness/ledger_place.h"
#include "witness/own_findings.h"
#include "witness/protection.h"
#include "witness/published.h"
#include "witness/rounds.h"

namespace outrigger::witness {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kFlushPatience = 10s;

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
        rounds_(options_.config, *executions_, incidents_, ledger_dir_.get()) {}

  base::Status serve_metrics() {
    if (settings_.metrics_listen.empty()) return {};
    auto page = [this] { return published_.page(options_.version); };
    auto server = families::PageServer::listen(settings_.metrics_listen, std::move(page));
    if (!server) return std::unexpected(server.error());
    page_server_ = std::move(*server);
    return {};
  }

  base::Status run() override {
    const auto signals = open_end_signals();
    if (!signals) return std::unexpected(signals.error());
    tell_of_openings();
    base::log(base::Level::kInfo, "watching",
              {{"state", options_.config.paths.run_dir.string()},
               {"interval_ms", std::to_string(settings_.interval.count())},
               {"version", options_.version}});
    Clock::time_point due = Clock::now();
    while (!has_ended(signals->get())) {
      const auto now = Clock::now();
      if (now >= due) {
        rounds_.tick(now);
        if (page_server_) publish();
        // From what was due, so that intervals keep their length; after a standstill, from now.
        due = std::max(due + settings_.interval, Clock::now());
      }
      wait(signals->get(), due);
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
                               {rounds_.events_fd(), POLLIN, 0},
                               {executions_->durable_event(), POLLIN, 0},
                               {incident_ledger_->durable_event(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), static_cast<int>(std::max<std::int64_t>(left.count(), 0))) <= 0) return;
    if (fds[1].revents != 0) rounds_.drain_events();
    if (fds[2].revents != 0) rounds_.settle();
    if (fds[3].revents != 0) incident_ledger_->take_durable();
  }

  void tell_of_openings() {
    for (const auto& [name, appender] : ledgers()) {
      for (const rules::Finding& finding : findings_of(name, appender->opening())) incidents_.report(finding);
    }
  }

  [[nodiscard]] std::array<std::pair<const char*, ledger::Appender*>, 2> ledgers() const {
    return {{{kExecutionLedger, executions_.get()}, {kIncidentLedger, incident_ledger_.get()}}};
  }

  void publish() {
    MetricsSnapshot now = rounds_.snapshot();
    for (const auto& [name, appender] : ledgers()) {
      const ledger::AppenderState state = appender->state();
      now.ledger_lines[name] = state.lines_written;
      now.ledger_errors[name] = state.errors;
    }
    const Alerts::State alerts = alerts_.state();
    now.alerts_sent = alerts.sent;
    now.alerts_dropped = alerts.dropped;
    published_.set(std::move(now));
  }

  base::Status finish() {
    base::log(base::Level::kInfo, "ending", {{"summaries_under_way", std::to_string(rounds_.under_way())}});
    const std::size_t left = executions_->close(kFlushPatience);
    rounds_.settle();
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
  Rounds rounds_;
  Published published_;
  std::unique_ptr<families::PageServer> page_server_;
};

}  // namespace

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
