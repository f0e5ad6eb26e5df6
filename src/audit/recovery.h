#pragma once

#include <chrono>
#include <vector>

#include "audit/spool.h"
#include "model/run_record.h"

namespace outrigger::audit {

// What an earlier process left undone.
struct Recovered {
  std::vector<model::RunRecord> interrupted;  // its jobs: their rows say so now, and nobody has written a summary
  std::vector<model::RunRecord> held;         // of queued jobs that ended: settle() them
};

// Reads the whole journal, once, before anything is added to it by others. A job that was begun and did not end gets
// its row; of a queued one another attempt will tell.
base::Result<Recovered> recover(const Journal& journal, Spool& spool, std::chrono::system_clock::time_point now);

}  // namespace outrigger::audit
