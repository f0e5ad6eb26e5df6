#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "model/limits.h"
#include "wire/request_error.h"

namespace outrigger::wire {

// What <run dir>/jobs/<job_id>.json says while the job runs (contract: the Outrigger Protocol).
struct JobCard {
  std::string job_id;
  std::string tenant_id;
  std::string language;
  std::string command;  // argv joined for people: "/usr/bin/python3 main.py"
  std::chrono::system_clock::time_point started_at;
  model::Limits limits;
  std::string cgroup;  // the group's directory, absolute; on v1 that of the memory hierarchy
};

// One JSON object and a newline.
std::string job_card_json(const JobCard& card);

// Reads it again: members it does not know are passed over, so that a newer daemon's card can be read.
std::expected<JobCard, RequestError> parse_job_card(std::string_view text);

}  // namespace outrigger::wire
