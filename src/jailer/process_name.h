#pragma once

namespace outrigger::jailer {

// Two processes of one program; these are what they are called, and of one length.
inline constexpr char kKeeperName[] = "outrigger-keeper";
inline constexpr char kJailerName[] = "outrigger-jailer";
static_assert(sizeof kKeeperName == sizeof kJailerName);

// As the calling process is shown: its comm (cut at 15 characters, prctl(2)), and the first word of its command line
// where that is one of the two.
void set_process_name(const char* name);

}  // namespace outrigger::jailer
