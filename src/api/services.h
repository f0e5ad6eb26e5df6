#pragma once

#include "api/key_keeper.h"
#include "audit/run_reader.h"
#include "pool/pool.h"
#include "queue/job_desk.h"
#include "tenants/guard.h"
#include "tenants/token_watch.h"

namespace outrigger::api {

// What the endpoints work with; all of it outlives them.
struct Services {
  pool::ExecutionService& pool;
  audit::RunReader* runs = nullptr;             // null: there is no audit trail
  queue::JobDesk* jobs = nullptr;               // null: there is no queue
  KeyKeeper* keys = nullptr;                    // null: no Idempotency-Key is taken
  const tenants::Guard* guard = nullptr;        // null: no token is asked for
  const tenants::TokenWatch* tokens = nullptr;  // how the file behind the guard stands; null: there is none
};

}  // namespace outrigger::api
