#include <poll.h>
#include <unistd.h>

#include "crows_nest/survey.h"
#include "crows_nest/verbs.h"
#include "view/live.h"
#include "view/table.h"
#include "witness/end_signals.h"

namespace outrigger::crows_nest {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

// A look by itself shows no speed, and contention is three intervals of it.
constexpr int kIntervals = 3;
// Two of the scheduler's periods: less shows nothing of throttling.
constexpr milliseconds kInterval{250};

// Waits so long; true where a signal says that it is enough.
bool interrupted(int signals, milliseconds time) {
  pollfd input{signals, POLLIN, 0};
  return ::poll(&input, 1, static_cast<int>(time.count())) > 0;
}

int once(Survey& survey, const AuditOptions& options) {
  const milliseconds interval = options.settings.interval.value_or(kInterval);
  for (int i = 0;; ++i) {
    if (const auto looked = survey.look(); !looked) return cannot(looked.error());
    if (i == kIntervals) break;
    ::poll(nullptr, 0, static_cast<int>(interval.count()));
  }
  view::Report report = survey.report();
  view::sort_jobs(report.jobs, options.order);
  const int status = view::has_findings(report) ? kFindings : kHealthy;
  if (options.json) return print(view::to_json(report) + "\n", status);
  return print(view::to_table(report, {.colour = view::wants_colour(STDOUT_FILENO)}), status);
}

// Not on a terminal: a document or a table an interval, until a signal comes or nobody reads.
int stream(Survey& survey, const AuditOptions& options, int signals, milliseconds interval) {
  for (;;) {
    if (const auto looked = survey.look(); !looked) return cannot(looked.error());
    view::Report report = survey.report();
    view::sort_jobs(report.jobs, options.order);
    const std::string text = options.json ? view::to_json(report) + "\n" : view::to_table(report, {}) + "\n";
    if (print(text) != kHealthy || interrupted(signals, interval)) return kHealthy;
  }
}

int live(Survey& survey, const AuditOptions& options, int signals, milliseconds interval) {
  view::LiveScreen screen;
  screen.sort_by(options.order);
  const bool colour = view::wants_colour(STDOUT_FILENO);
  for (;;) {
    if (const auto looked = survey.look(); !looked) return cannot(looked.error());
    const view::Report report = survey.report();
    const auto due = std::chrono::steady_clock::now() + interval;
    for (;;) {
      screen.draw(report, colour);
      const auto left = std::chrono::ceil<milliseconds>(due - std::chrono::steady_clock::now());
      const auto key = screen.wait(std::max(left, 0ms), signals);
      if (key == view::LiveScreen::Key::kQuit) return kHealthy;
      if (key == view::LiveScreen::Key::kNone) break;
    }
  }
}

}  // namespace

int run(const AuditOptions& options) {
  const auto config = load_settings(options.settings);
  if (!config) return cannot(config.error());
  Survey survey(*config, options.watch);
  if (!options.watch) return once(survey, options);
  witness::block_end_signals();
  const auto signals = witness::open_end_signals();
  if (!signals) return cannot(signals.error());
  const milliseconds interval = config->crows_nest.interval;
  const bool terminal = ::isatty(STDOUT_FILENO) == 1 && ::isatty(STDIN_FILENO) == 1 && !options.json;
  return terminal ? live(survey, options, signals->get(), interval) : stream(survey, options, signals->get(), interval);
}

}  // namespace outrigger::crows_nest
