#include <gtest/gtest.h>

#include "store_sql/idempotency_contract.h"
#include "store_sqlite/stores.h"
#include "store_sqlite/test_directory.h"

namespace outrigger::store::sqlite {

struct EmptyKeyFile {
  std::unique_ptr<IdempotencyStore> make_keys() const { return make_sqlite_idempotency_store(directory.fd()); }
  TestDirectory directory;
};

}  // namespace outrigger::store::sqlite

namespace outrigger::store::sql {

INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, IdempotencyContract, sqlite::EmptyKeyFile);

}  // namespace outrigger::store::sql
