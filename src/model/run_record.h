#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "model/job.h"
#include "model/outcome.h"

namespace outrigger::model {

// One job as the audit trail keeps it: what became of it, and what it was, without a byte of its code or its output.
struct RunRecord {
  Outcome outcome;          // the streams' data is empty; their sizes and truncation hold
  std::string code_sha256;  // 64 lower-case hexadecimal digits
  std::uint64_t code_bytes = 0;
  std::string command;        // argv joined for people: "/usr/bin/python3 main.py"; empty where none was started
  std::string node;           // the daemon's name for its machine
  std::string cgroup_driver;  // "v2", "v1"; empty where no jail was made
  Origin origin = Origin::kDirect;
  std::uint32_t attempt = 1;  // of a queued job: the one this tells of; 0: it was never begun
  std::chrono::system_clock::time_point received_at;
  std::string trace_id = {};  // 32 hexadecimal digits; empty where the request named no trace
};

}  // namespace outrigger::model
