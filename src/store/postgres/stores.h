#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "store/audit_store.h"
#include "store/idempotency_store.h"

// Stores in a PostgreSQL database (12 or newer), for any number of daemons at once. `url` is what libpq takes:
// postgresql://user:password@host:port/database?sslmode=verify-full, several hosts too; it never appears in an error.
// Each object has a connection of its own, made at the first call and again after any failure.
namespace outrigger::store {

struct PostgresOptions {
  // No call takes longer, connecting included; only looking up a host's name is on the resolver's own time.
  std::chrono::milliseconds deadline{5'000};
  // For a call that brings the schema up to date, or waits for another daemon that does.
  std::chrono::milliseconds migration_deadline{60'000};
};

std::unique_ptr<AuditStore> make_postgres_audit_store(std::string url, PostgresOptions options = {});
std::unique_ptr<IdempotencyStore> make_postgres_idempotency_store(std::string url, PostgresOptions options = {});

}  // namespace outrigger::store
