#include <gtest/gtest.h>

#include "store_postgres/stores.h"
#include "store_postgres/test_server.h"
#include "store_sql/idempotency_contract.h"

namespace outrigger::store::postgres {

struct EmptyKeyDatabase {
  EmptyKeyDatabase() { clear_server(); }
  std::unique_ptr<IdempotencyStore> make_keys() const { return make_postgres_idempotency_store(server_url()); }
};

}  // namespace outrigger::store::postgres

namespace outrigger::store::sql {

INSTANTIATE_TYPED_TEST_SUITE_P(Postgres, IdempotencyContract, postgres::EmptyKeyDatabase);

}  // namespace outrigger::store::sql
