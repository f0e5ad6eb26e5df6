#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/sight.h"

// Numbers and names as a person reads them in a finding.
namespace outrigger::rules {

std::string bytes_text(std::uint64_t bytes);                         // "118.0 MiB", "512 B"
std::string percent_text(double percent);                            // "45.3 %"
std::string time_text(std::chrono::microseconds time);               // "2.5 s", "350 ms"; below 1 ms "0.4 ms"
std::string cores_text(double cores);                                // "0.50 cores"
std::string count_text(std::uint64_t count, std::string_view noun);  // "1 task", "2 tasks"

// "12, 13, 14 and 9 more"
std::string pids_text(const std::vector<pid_t>& pids);

// "job j1 of tenant acme"
std::string job_text(const Subject& job);

}  // namespace outrigger::rules
