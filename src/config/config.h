#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/limits.h"

namespace outrigger::config {

// Where things live. With --state-dir DIR everything is below DIR; otherwise the installed places.
struct Paths {
  std::filesystem::path config_file;   // DIR/config.toml | /etc/outrigger/config.toml
  std::filesystem::path run_dir;       // DIR             | /run/outrigger      (jobs/ lies below)
  std::filesystem::path lib_dir;       // DIR             | /var/lib/outrigger  (terminations/ lies below)
  std::filesystem::path runtimes_dir;  // the TOML files
  std::filesystem::path images_dir;    // the root file systems
};

struct Server {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;
  std::chrono::milliseconds header_timeout{10000};  // a request's head must be complete by then
  std::chrono::milliseconds body_timeout{30000};    // and its body
  std::chrono::milliseconds idle_timeout{60000};    // between two requests of a connection
  std::uint32_t max_connections = 2048;
  std::chrono::milliseconds shutdown_grace{10000};  // running jobs may finish within it
  std::vector<std::string> tokens;                  // bearer tokens; needed to listen off loopback
};

struct Pool {
  std::uint32_t slots = 16;
  std::chrono::milliseconds acquire_timeout{3000};
  std::uint32_t max_waiting = 1024;
  std::uint64_t primed_memory_bytes = 512ULL << 20;  // what all jails kept ready may hold together; 0: none are kept
};

// All jails of a machine, of however many daemons, take their ids from one range of this size.
inline constexpr std::uint32_t kJailIds = 65'536;

struct Jail {
  std::uint32_t uid_base = 1900000000;  // first of the kJailIds host ids that are the jails' and nobody else's
  std::string cgroup_root;              // empty: found by probing
};

struct Config {
  Paths paths;
  Server server;
  Pool pool;
  Jail jail;
  model::Limits default_limits;
  model::Limits limit_ceilings;
  std::string user;  // whom the daemon becomes after start; empty: the unprivileged id just below jail.uid_base
  base::Level log_level = base::Level::kInfo;
  base::LogFormat log_format = base::LogFormat::kText;
};

}  // namespace outrigger::config
