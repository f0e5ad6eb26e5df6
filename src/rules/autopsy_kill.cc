#include <algorithm>

#include "rules/autopsy.h"
#include "rules/ceiling.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

using model::Status;

std::optional<std::uint64_t> limit_of(const DeathScene& scene) {
  if (scene.last != nullptr && scene.last->memory_limit_bytes) return *scene.last->memory_limit_bytes;
  return scene.card != nullptr ? std::optional(scene.card->limits.memory_bytes) : std::nullopt;
}

// ", peak 128.0 MiB of 128.0 MiB": by the witness that knows the higher one.
std::string peak_text(const DeathScene& scene) {
  const std::uint64_t told = scene.summary.outcome.usage.peak_memory_bytes.value_or(0);
  const std::uint64_t read = scene.last != nullptr ? scene.last->memory_peak_bytes.value_or(0) : 0;
  const auto limit = limit_of(scene);
  if (std::max(told, read) == 0) return limit ? ", limit " + bytes_text(*limit) : "";
  return ", peak " + bytes_text(std::max(told, read)) + (limit ? " of " + bytes_text(*limit) : "");
}

std::string above_text(const DeathScene& scene) {
  if (!scene.ancestor_ooms) return "a group above it, or the host, had none left";
  if (*scene.ancestor_ooms == 0) return "no group above it counted an OOM: the host had none left";
  return "the groups above it counted " + count_text(*scene.ancestor_ooms, "OOM") + " meanwhile";
}

std::string memory_text(const DeathScene& scene, const MemoryKills& kills) {
  const std::string counted = count_text(kills.count, "OOM kill") + " in its group" + peak_text(scene);
  switch (kills.ceiling) {
    case Ceiling::kOwn: return "killed by the kernel at its own memory ceiling: " + counted;
    case Ceiling::kAbove:
      return "killed by the kernel for memory, below its own ceiling: " + counted + "; " + above_text(scene);
    case Ceiling::kUnknown: break;
  }
  return "killed by the kernel for memory: " + counted + "; this kernel does not tell whose ceiling it was";
}

// What makes the witnesses differ on an OOM kill, for people; empty where they do not.
std::string conflict(const DeathScene& scene, const MemoryKills& kills) {
  const model::Outcome& outcome = scene.summary.outcome;
  const auto& told = outcome.usage.oom_kills;
  if (kills.by_reading && told && *told < kills.count) {
    return "; the auditor read that, the daemon's summary counts " + std::to_string(*told);
  }
  const bool read = scene.last != nullptr && scene.last->oom_kills;
  if (!kills.by_reading && scene.last_is_final && read) {
    return "; the daemon's summary says so, the auditor read " + std::to_string(*scene.last->oom_kills) +
           " after the end";
  }
  if (outcome.status != Status::kMemoryExceeded) {
    return "; the daemon's summary says " + std::string(model::status_name(outcome.status));
  }
  return {};
}

CauseOfDeath by_memory(const DeathScene& scene, const MemoryKills& kills) {
  const std::string differing = conflict(scene, kills);
  Confidence confidence = kills.by_reading ? Confidence::kCertain : Confidence::kReported;
  if (!differing.empty()) confidence = Confidence::kConflict;
  return {kills.ceiling == Ceiling::kAbove ? "ancestor_memory" : "memory_ceiling",
          memory_text(scene, kills) + differing,
          confidence,
          {}};
}

CauseOfDeath by_somebody(const DeathScene& scene) {
  const model::Outcome& outcome = scene.summary.outcome;
  if (outcome.status == Status::kMemoryExceeded) {
    return {"signal",
            "killed by SIGKILL; the daemon's summary says for memory, but no OOM kill is counted anywhere",
            Confidence::kConflict,
            {}};
  }
  const bool counted =
      outcome.usage.oom_kills || (scene.last_is_final && scene.last != nullptr && scene.last->oom_kills);
  const std::string memory = counted ? "not for memory: no OOM kill is counted in its group"
                                     : "whether for memory is not known: no OOM kills are counted here";
  return reported("signal", "killed by SIGKILL, not by the daemon; " + memory);
}

}  // namespace

CauseOfDeath cause_of_kill(const DeathScene& scene) {
  const auto card_limit =
      scene.card != nullptr ? std::optional(scene.card->limits.memory_bytes) : std::optional<std::uint64_t>{};
  const MemoryKills kills = memory_kills(scene.last, &scene.summary, card_limit);
  return kills.count > 0 ? by_memory(scene, kills) : by_somebody(scene);
}

}  // namespace outrigger::rules
