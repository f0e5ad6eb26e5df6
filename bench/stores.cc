// bench_stores [SECONDS]   How many runs a second the audit stores take in, from one thread and in batches as the
// daemon writes them, and how many jobs a second the queue on disk hands through. SQLite's files lie in TMPDIR (or
// /var/tmp, since /tmp may be memory); PostgreSQL is measured where OUTRIGGER_TEST_POSTGRES names a server, in its
// table execution_runs, and the rows are removed again.

#include <fcntl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/unique_fd.h"
#include "store_postgres/stores.h"
#include "store_sql/test_record.h"
#include "store_sqlite/stores.h"

namespace outrigger::bench {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;
using std::chrono::steady_clock;

// Never one id twice, and of all runs of this program: a row that is there already would cost less.
std::string next_id() {
  static const auto start = steady_clock::now().time_since_epoch().count();
  static int count = 0;
  return "bench-" + std::to_string(start) + "-" + std::to_string(++count);
}

std::vector<model::RunRecord> batch_of(std::size_t size) {
  std::vector<model::RunRecord> batch;
  for (std::size_t i = 0; i < size; ++i) {
    batch.push_back(store::sql::test_record(next_id()));
    batch.back().outcome.ended_at = {};  // by which they are found again
  }
  return batch;
}

void complain(const char* what, const base::Error& error) { std::printf("%s: %s\n", what, error.text().c_str()); }

// Only the time within insert() counts: making records up is not the store's work.
bool measure_inserts(const char* name, store::AuditStore& store, std::size_t batch_size, Seconds duration) {
  Seconds within{0};
  std::size_t rows = 0;
  while (within < duration) {
    const auto batch = batch_of(batch_size);
    const auto begin = steady_clock::now();
    const auto inserted = store.insert(batch);
    within += steady_clock::now() - begin;
    if (!inserted) return complain(name, inserted.error()), false;
    rows += batch_size;
  }
  std::printf("%-10s insert, batches of %3zu: %8.0f rows/s\n", name, batch_size,
              static_cast<double>(rows) / within.count());
  return true;
}

bool measure_reads(const char* name, store::AuditStore& store, Seconds duration) {
  store::RunQuery query;
  query.tenant_id = "acme";
  query.limit = 100;
  std::size_t pages = 0;
  const auto begin = steady_clock::now();
  while (steady_clock::now() - begin < duration) {
    const auto runs = store.list(query);
    if (!runs) return complain(name, runs.error()), false;
    query.before = store::RunCursor{runs->back().outcome.started_at, runs->back().outcome.job_id};
    if (runs->size() < query.limit) query.before.reset();
    ++pages;
  }
  std::printf("%-10s list, pages of 100:     %8.2f ms a page\n", name,
              1000 * Seconds(steady_clock::now() - begin).count() / static_cast<double>(pages));
  return true;
}

bool measure_audit(const char* name, store::AuditStore& store, Seconds duration) {
  if (const auto opened = store.open(); !opened) return complain(name, opened.error()), false;
  for (const std::size_t size : {1UL, 200UL, 500UL}) {
    if (!measure_inserts(name, store, size, duration)) return false;
  }
  if (!measure_reads(name, store, duration)) return false;
  while (store.remove_ended_before(std::chrono::system_clock::time_point{1s}, 10'000).value_or(0) > 0) {
  }
  return true;
}

// put, take and finish, each on the disk before the next.
bool measure_queue(store::JobQueue& queue, Seconds duration) {
  const store::Identify identify = [](std::string_view entry) -> std::expected<store::Identified, std::string> {
    return store::Identified{std::string(entry), std::string(entry)};
  };
  std::size_t jobs = 0;
  const auto begin = steady_clock::now();
  while (steady_clock::now() - begin < duration) {
    const std::string id = next_id();
    if (const auto put = queue.put(std::vector{store::Submission{id, id}}); !put)
      return complain("put", put.error()), false;
    const auto taken = queue.take(1, 1s, identify);
    if (!taken) return complain("take", taken.error()), false;
    for (const auto& job : *taken) {
      const auto settled = queue.finish({job.job_id, job.attempt}, "{}", 1h);
      if (!settled) return complain("finish", settled.error()), false;
      ++jobs;
    }
  }
  std::printf("%-10s queue, one by one:      %8.0f jobs/s\n", "SQLite",
              static_cast<double>(jobs) / Seconds(steady_clock::now() - begin).count());
  return true;
}

bool measure_sqlite(Seconds duration) {
  const char* parent = std::getenv("TMPDIR");
  std::string path = std::string(parent != nullptr ? parent : "/var/tmp") + "/bench_stores.XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return complain("mkdtemp", base::system_error(path).error()), false;
  const base::UniqueFd dir(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const bool done = measure_audit("SQLite", *store::make_sqlite_audit_store(dir.get()), duration) &&
                    measure_queue(*store::make_sqlite_queue(dir.get()), duration);
  std::filesystem::remove_all(path);
  return done;
}

}  // namespace
}  // namespace outrigger::bench

int main(int argc, char** argv) {
  using namespace outrigger;
  const bench::Seconds duration{argc > 1 ? std::strtod(argv[1], nullptr) : 2.0};
  bool done = bench::measure_sqlite(duration);
  if (const char* url = std::getenv("OUTRIGGER_TEST_POSTGRES")) {
    done = bench::measure_audit("PostgreSQL", *store::make_postgres_audit_store(url), duration) && done;
  }
  return done ? 0 : 1;
}
