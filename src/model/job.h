#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/limits.h"

namespace outrigger::model {

// Through which door a job came.
enum class Origin { kDirect, kQueue };

// What may be collected at most.
struct CollectCaps {
  std::size_t files = 256;
  std::uint64_t bytes = 16ULL << 20;
};

// Of a terminal, in characters.
struct TerminalSize {
  std::uint16_t rows = 24;
  std::uint16_t columns = 80;
};

enum class OutputEncoding { kUtf8, kBase64 };

// A file laid into the working directory before the program starts.
struct InputFile {
  std::string path;     // relative, no "..", below /tmp/work; checked by wire/
  std::string content;  // raw bytes
  std::uint32_t mode = 0644;
};

// One job as it was accepted: everything checked, defaults filled in.
struct Job {
  std::string tenant_id;
  std::string language;
  std::string code;
  std::string stdin_data;
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<InputFile> files;
  OutputEncoding output_encoding = OutputEncoding::kUtf8;
  Limits limits;
  std::vector<std::string> collect = {};  // patterns (base/glob.h) of the files that are wanted back
  CollectCaps collect_caps = {};
  // Its stdin, stdout and stderr are one pseudo-terminal of this size at first, and all output is stdout's.
  std::optional<TerminalSize> terminal = {};
  bool stderr_to_stdout = false;  // both through one pipe, as stdout, in the order in which they are written
  bool compiled = false;          // its files hold the program already, and `code` is not laid beside them

  std::string job_id = {};  // of a queued job, given when it was submitted; empty: the pool gives one with the jail
  Origin origin = Origin::kDirect;
  std::uint32_t attempt = 1;
  // What whoever queued it wants to find in its result again: opaque text, empty mostly.
  std::string annotation = {};
  // For logs, the audit trail and callbacks: whose token asked for it (its id; empty: none was wanted), and the trace
  // it belongs to, as a traceparent (wire/trace_context.h; empty: none).
  std::string token_id = {};
  std::string traceparent = {};
  std::chrono::system_clock::time_point received_at = {};  // zero: when the pool gets it
};

}  // namespace outrigger::model
