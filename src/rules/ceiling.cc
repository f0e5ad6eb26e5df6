#include "rules/ceiling.h"

namespace outrigger::rules {
namespace {

// The kernel charges in batches and gives up on small allocations only: at an OOM the use is this near to the limit.
constexpr std::uint64_t kNear = 1ULL << 20;

// Without a count of the group's own OOMs: had it ever come near its limit?
Ceiling by_peak(std::optional<std::uint64_t> peak, std::optional<std::uint64_t> limit) {
  if (!peak || !limit) return Ceiling::kUnknown;
  return *peak + kNear >= *limit ? Ceiling::kOwn : Ceiling::kAbove;
}

}  // namespace

Ceiling ceiling_of(const probe::Reading& reading, std::optional<std::uint64_t> card_limit) {
  if (reading.ooms) return *reading.ooms > 0 ? Ceiling::kOwn : Ceiling::kAbove;
  const auto& hits = reading.memory_limit_hits;
  if (hits && *hits > 0) return Ceiling::kOwn;
  if (hits && reading.version == sys::CgroupVersion::kV2) return Ceiling::kAbove;
  // v1's memory.failcnt stays at 0 where memory and swap have the same limit: that one is charged, and refuses, first
  // (kernel: mm/memcontrol.c, try_charge_memcg).
  const auto limit = reading.memory_limit_bytes.optional();
  return by_peak(reading.memory_peak_bytes.optional(), limit ? limit : card_limit);
}

Ceiling ceiling_of(const wire::Termination& summary, std::optional<std::uint64_t> card_limit) {
  const model::Usage& usage = summary.outcome.usage;
  if (usage.memory_limit_hits && *usage.memory_limit_hits > 0) return Ceiling::kOwn;
  if (usage.memory_limit_hits && summary.cgroup_driver == "v2") return Ceiling::kAbove;
  return by_peak(usage.peak_memory_bytes, card_limit);
}

MemoryKills memory_kills(const probe::Reading* reading, const wire::Termination* summary,
                         std::optional<std::uint64_t> card_limit) {
  const std::uint64_t read = reading != nullptr ? reading->oom_kills.value_or(0) : 0;
  const std::uint64_t told = summary != nullptr ? summary->outcome.usage.oom_kills.value_or(0) : 0;
  if (read == 0 && told == 0) return {};
  if (read < told) return {told, ceiling_of(*summary, card_limit), false};
  MemoryKills kills{read, ceiling_of(*reading, card_limit), true};
  if (kills.ceiling == Ceiling::kUnknown && told > 0) kills.ceiling = ceiling_of(*summary, card_limit);
  return kills;
}

}  // namespace outrigger::rules
