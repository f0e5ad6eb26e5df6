#pragma once

#include <string>

#include "rules/death.h"

// Parts of cause_of_death().
namespace outrigger::rules {

// Where only the daemon's summary speaks; the evidence is added to each cause in the end.
inline CauseOfDeath reported(std::string code, std::string text) {
  return {std::move(code), std::move(text), Confidence::kReported, {}};
}

// All that the two witnesses say of one death, by who says it. What neither knows stands there as not known.
Evidence evidence_of(const DeathScene& scene);

// A SIGKILL that the daemon does not say it sent: the kernel's for memory, or somebody's.
CauseOfDeath cause_of_kill(const DeathScene& scene);

// The daemon's watchdog: the wall clock.
CauseOfDeath cause_of_watchdog(const DeathScene& scene);

// SIGXCPU, or the daemon's watch over the group's CPU time.
CauseOfDeath cause_of_cpu_time(const DeathScene& scene);

// How long the auditor itself has watched the job; zero where it has not.
std::chrono::microseconds watched(const DeathScene& scene);

// CPU time between the auditor's first and last reading; absent where there are not both.
std::optional<std::chrono::microseconds> cpu_watched(const DeathScene& scene);

}  // namespace outrigger::rules
