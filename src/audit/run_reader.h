#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/run_record.h"
#include "store/audit_store.h"

namespace outrigger::audit {

struct TrailState {
  std::string sink;     // "sqlite", "postgres"
  std::string trouble;  // empty, or what is wrong, for people
  bool database_away = false;
  bool spool_full = false;
  std::uint64_t rows = 0;  // written since the start
  std::uint64_t spool_bytes = 0;
  std::uint64_t in_memory = 0;  // records that the disk had no room for
  std::uint64_t lost = 0;       // records
  std::uint64_t rejected = 0;   // rows
};

// The audit trail as those see it who ask for runs. All calls from the event loop's thread.
class RunReader {
 public:
  virtual ~RunReader() = default;

  // From the database, after it has everything told so far. Errors: the store's, and kExhausted where too many ask.
  virtual boost::asio::awaitable<base::Result<std::vector<model::RunRecord>>> list(store::RunQuery query) = 0;
  virtual boost::asio::awaitable<base::Result<std::optional<model::RunRecord>>> find(std::string job_id) = 0;
  [[nodiscard]] virtual TrailState state() const = 0;
};

}  // namespace outrigger::audit
