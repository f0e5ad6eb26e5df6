#include "witness/fleet_watch.h"

#include <algorithm>

#include "base/format.h"
#include "probe/machine.h"
#include "rules/text.h"

namespace outrigger::witness {
namespace {

using Reach = fleet::DispatchState::Reach;
// However short the interval: what is to change is told at once all the same.
constexpr std::chrono::milliseconds kLeastBetweenQuestions{200};

std::string percent(double share) { return base::formatted("%.4g %%", share * 100); }

}  // namespace

FleetWatch::FleetWatch(const roster::Roster& roster, Incidents& incidents, fleet::CeilingOptions options,
                       std::chrono::milliseconds interval)
    : roster_(roster), incidents_(incidents), options_(options), line_(std::max(interval, kLeastBetweenQuestions)) {}

rules::Evidence FleetWatch::evidence() const {
  // What could be dropped at once is an effort to find out: only for those who will ask why.
  const std::uint64_t inactive = roster_.inactive_file_bytes();
  return {{"sandbox_memory_bytes", memory_bytes_},
          {"working_set_bytes", memory_bytes_ - std::min(inactive, memory_bytes_)},
          {"host_memory_bytes", host_bytes_.value_or(0)},
          {"share", share_},
          {"ceiling", options_.pause_at},
          {"resume_below", options_.resume_below},
          {"jobs", std::uint64_t{roster_.running()}}};
}

void FleetWatch::look(Clock::time_point now) {
  memory_bytes_ = roster_.memory_bytes();
  host_bytes_ = probe::memory_total_bytes().optional();
  const fleet::DispatchState state = line_.state();
  if (host_bytes_ && *host_bytes_ > 0) {
    share_ = static_cast<double>(memory_bytes_) / static_cast<double>(*host_bytes_);
    const bool pause = fleet::wants_pause(share_, state.own, now, options_);
    line_.want(pause,
               "sandboxes hold " + percent(share_) + " of the host's memory, ceiling " + percent(options_.pause_at));
  }
  tell_of_pause(state);
  tell_of_reach(state);
}

void FleetWatch::tell_of_pause(const fleet::DispatchState& state) {
  if (state.own.in_force == told_pause_) return;
  told_pause_ = state.own.in_force;
  const std::string sums = rules::bytes_text(memory_bytes_) + ", " + percent(share_) + " of the host's memory";
  if (told_pause_) {
    incidents_.report({"fleet_memory_ceiling", rules::Severity::kCritical,
                       "all sandboxes together hold " + sums + ", the ceiling is " + percent(options_.pause_at) +
                           ": dispatch was paused",
                       evidence()});
  } else {
    incidents_.report({"fleet_memory_recovered", rules::Severity::kInfo,
                       "all sandboxes together hold " + sums + ": dispatch goes on", evidence()});
  }
}

void FleetWatch::tell_of_reach(const fleet::DispatchState& state) {
  const bool trouble = state.reach == Reach::kUnreachable || state.reach == Reach::kRefused;
  if (trouble == told_trouble_) return;
  told_trouble_ = trouble;
  if (!trouble) {
    incidents_.report(
        {"daemon_reachable", rules::Severity::kInfo, "the daemon can be told to pause dispatch again", {}});
    return;
  }
  incidents_.report({"daemon_unreachable",
                     rules::Severity::kWarning,
                     "the daemon could not be told to pause dispatch if it had to be: " + state.trouble +
                         "; it is tried again at each interval",
                     {{"error", state.trouble}}});
}

}  // namespace outrigger::witness
