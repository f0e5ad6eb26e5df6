#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "audit/spool.h"
#include "model/run_record.h"

namespace outrigger::audit {

// What an earlier process left undone.
struct Recovered {
  std::vector<model::RunRecord> unreported;  // jobs that may lack a summary: interrupted, or ended at the last moment
  std::vector<model::RunRecord> held;        // of queued jobs that ended: settle() them
};

// Reads the whole journal, once, before anything is added to it by others. A job that was begun and did not end gets
// its row; of a queued one another attempt will tell. `cards`: ids of jobs that were running as far as their cards say.
base::Result<Recovered> recover(const Journal& journal, Spool& spool, const std::vector<std::string>& cards);

}  // namespace outrigger::audit
