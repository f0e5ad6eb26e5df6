#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/finding.h"
#include "rules/sight.h"

namespace outrigger::rules {

// How sure a cause is.
enum class Confidence : std::uint8_t {
  kCertain,   // the auditor itself has read the kernel's evidence, and the daemon says nothing else
  kReported,  // the daemon's summary carries the evidence; the auditor saw the job too late, or not at all
  kConflict,  // the two witnesses differ
};
std::string_view confidence_name(Confidence confidence);  // "certain", "reported", "conflict"

// Why a run ended: a code to switch on, a sentence, and what it rests on.
struct CauseOfDeath {
  std::string code;
  std::string text;
  Confidence confidence = Confidence::kReported;
  Evidence evidence;
};

// What is known when the summary is there.
struct DeathScene {
  const wire::Termination& summary;
  const Subject* card = nullptr;          // null: the job was never seen alive
  const probe::Reading* first = nullptr;  // the auditor's first and last reading of its group
  const probe::Reading* last = nullptr;
  bool last_is_final = false;  // `last` was read after the summary had been written: nothing lived any more
  // By how much the OOM count of the groups above rose meanwhile.
  std::optional<std::uint64_t> ancestor_ooms = std::nullopt;
};

// The codes there are, but for the names of steps in which Outrigger itself failed.
inline constexpr std::array<std::string_view, 10> kCauseCodes{
    "exited",  "memory_ceiling",        "ancestor_memory", "wall_clock", "cpu_time",
    "seccomp", "illegal_memory_access", "signal",          "cancelled",  "interrupted"};

// The true cause, from the evidence table (contract, section 7). Exit status 137 by itself is never called memory.
CauseOfDeath cause_of_death(const DeathScene& scene);

}  // namespace outrigger::rules
