#pragma once

#include <memory>

#include "rules/rule.h"

// The rules there are: each is made in the file of its name, and knows its name from here.
namespace outrigger::rules {

std::unique_ptr<Rule> make_memory_approach();
std::unique_ptr<Rule> make_oom_kill();
std::unique_ptr<Rule> make_scheduling_contention();
std::unique_ptr<Rule> make_fork_bomb();
std::unique_ptr<Rule> make_pids_limit();
std::unique_ptr<Rule> make_runaway();
std::unique_ptr<Rule> make_escape_signs();
std::unique_ptr<Rule> make_leaked_cgroup();
std::unique_ptr<Rule> make_disagreement();

inline constexpr RuleKind kMemoryApproach{
    "memory_approach", "memory at 90 % or more of the job's limit; again only after it was below 80 %",
    make_memory_approach};
inline constexpr RuleKind kOomKill{
    "oom_kill", "the kernel killed a process of the job for memory: whose ceiling it was, and whether the job lives",
    make_oom_kill};
inline constexpr RuleKind kSchedulingContention{
    "scheduling_contention",
    "throttled more than 30 % of its running time in three intervals in a row; again only after it was at 30 % or less",
    make_scheduling_contention};
inline constexpr RuleKind kForkBomb{
    "fork_bomb", "new tasks were refused, or the tasks are at the limit; again only after they were below half of it",
    make_fork_bomb};
inline constexpr RuleKind kPidsLimit{
    "pids_limit", "tasks at 80 % or more of the limit, and not yet there; again only after they were below 60 %",
    make_pids_limit};
inline constexpr RuleKind kRunaway{"runaway", "at its CPU quota for its whole life, of two seconds at least",
                                   make_runaway};
inline constexpr RuleKind kEscapeSigns{
    "escape_signs",
    "a process in the job's group but outside its pid namespace, or alive two seconds after the job's end",
    make_escape_signs};
inline constexpr RuleKind kLeakedCgroup{
    "leaked_cgroup", "the empty group is still there five seconds after the job's end", make_leaked_cgroup};
inline constexpr RuleKind kDisagreement{
    "disagreement", "the daemon's summary contradicts the auditor's own readings, or itself", make_disagreement};

}  // namespace outrigger::rules
