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
  std::vector<std::string> tokens;                  // bearer tokens of operators, in clear
  std::filesystem::path tokens_file;                // all others, as `outrigger token` keeps them; empty: the default
};

struct Pool {
  std::uint32_t slots = 16;
  std::chrono::milliseconds acquire_timeout{3000};
  std::uint32_t max_waiting = 1024;
  std::uint64_t primed_memory_bytes = 512ULL << 20;  // what all jails kept ready may hold together; 0: none are kept
};

// All jails of a machine, of however many daemons, take their ids from one range of this size.
inline constexpr std::uint32_t kJailIds = 65'536;

struct Compile {
  std::uint64_t cache_bytes = 64ULL << 20;  // what compiled programs may hold of the daemon's memory; 0: none are kept
};

struct Jail {
  std::uint32_t uid_base = 1900000000;  // first of the kJailIds host ids that are the jails' and nobody else's
  std::string cgroup_root;              // empty: found by probing
};

// The audit trail: one row a job, in SQLite below lib_dir unless a PostgreSQL is named.
struct Audit {
  bool enabled = true;
  std::string postgres_url;         // a secret: "postgresql://user:password@host/database"
  std::chrono::hours retention{0};  // rows that ended longer ago are removed; 0: none are
  std::uint64_t spool_max_bytes = 1ULL << 30;
  bool refuse_when_full = false;  // jobs, when their row might find no room
};

// Jobs that nobody waits for: in SQLite below lib_dir unless a Redis is named.
struct Queue {
  std::string redis_url;  // a secret: "redis://:password@host:6379/0"
  std::string redis_prefix = "sandbox";
  std::uint32_t slots = 0;  // of pool.slots, for queued jobs at most; 0: three quarters of them
  std::uint32_t max_attempts = 3;
  std::chrono::milliseconds lease{15000};  // a worker that is not heard of for so long has lost its jobs
  std::chrono::hours result_lifetime{24};
};

// Telling a URL of the caller's that its queued job has ended.
struct Webhook {
  std::vector<std::string> allow;               // hosts, "*.example.org" and ":port" too; none: no callbacks
  std::vector<std::string> permitted_networks;  // "10.0.0.0/8": private addresses that may be called all the same
  std::string secret;                           // signs what is sent
};

// The auditor, which reads the same file.
struct CrowsNest {
  std::chrono::milliseconds interval{1000};          // between two looks at all running jobs
  double ceiling_percent = 65;                       // of the host's memory, that all jobs together may hold
  double resume_percent = 60;                        // below it a pause of the auditor's own ends
  std::string server;                                // "http://127.0.0.1:8080"; empty: as the daemon has written down
  std::string token;                                 // a secret: bearer token for it; empty: the first of server.tokens
  std::string metrics_listen;                        // "127.0.0.1:9464"; empty: no metrics are served
  std::string webhook_url;                           // told of each incident; empty: nobody is
  std::uint64_t ledger_segment_bytes = 64ULL << 20;  // a ledger's file grows up to here, then another is begun
};

struct Config {
  Paths paths;
  Server server;
  Pool pool;
  Compile compile;
  Jail jail;
  std::string node;  // this machine's name in rows and results; empty: its host name
  Audit audit;
  Queue queue;
  Webhook webhook;
  CrowsNest crows_nest;
  model::Limits default_limits;
  model::Limits limit_ceilings;
  std::string user;  // whom the daemon becomes after start; empty: the unprivileged id just below jail.uid_base
  base::Level log_level = base::Level::kInfo;
  base::LogFormat log_format = base::LogFormat::kText;
};

}  // namespace outrigger::config
