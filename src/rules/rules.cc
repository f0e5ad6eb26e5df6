#include <array>

#include "rules/kinds.h"

namespace outrigger::rules {
namespace {

constexpr std::array kAll{kMemoryApproach, kOomKill,     kSchedulingContention, kForkBomb,    kPidsLimit,
                          kRunaway,        kEscapeSigns, kLeakedCgroup,         kDisagreement};

}  // namespace

std::span<const RuleKind> all_rules() { return kAll; }

}  // namespace outrigger::rules
