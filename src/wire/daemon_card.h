#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "wire/request_error.h"

namespace outrigger::wire {

// What <run dir>/outriggerd.json says of the daemon that was started there last: where it is to be found. Whether it
// still lives, the file does not say.
struct DaemonCard {
  std::uint64_t pid = 0;
  std::string version;
  std::string listen;         // "127.0.0.1:8080", "[::1]:8080"
  std::string cgroup_driver;  // "v2", "v1"
  std::string cgroup_root;    // the directory the jobs' groups lie in; on v1 that of the memory hierarchy
  std::chrono::system_clock::time_point started_at;
};

// One JSON object and a newline.
std::string daemon_card_json(const DaemonCard& card);

// Reads it again: members it does not know are passed over.
std::expected<DaemonCard, RequestError> parse_daemon_card(std::string_view text);

}  // namespace outrigger::wire
