#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "store/audit_store.h"
#include "store/idempotency_store.h"
#include "store/job_queue.h"
#include "store/outbox.h"

// Stores in SQLite files of this machine. A file is named by its directory's descriptor, which is duplicated, and a
// name: the directory must be searchable and writable by this process, its parents need not be. The file is made with
// mode 0600; beside it lie NAME-wal and NAME-shm. Nothing is touched before open() or the first other call.
//
// Several objects may use one file, each with a connection of its own. A call waits at most five seconds for others'
// writes. A damaged file gives kSystem with the file's name and the remedy; a file that was moved away is made anew.
namespace outrigger::store {

std::unique_ptr<AuditStore> make_sqlite_audit_store(int dir_fd, std::string name = "audit.sqlite");

struct SqliteQueueOptions {
  std::string worker = "local";             // whose the jobs are that take() hands out
  std::chrono::milliseconds lease{30'000};  // for so long without a renew(); at most as long as this process lives
  std::chrono::seconds refused_lifetime{24 * 3600};  // of the result of a job whose entry `identify` refused
};

// The queue of one daemon: its jobs outlive the process and the machine's power. What an earlier process had running is
// put back when the file is opened, its attempt used up. There must be no two processes on one file. A waiting job that
// is cancelled keeps the number of its attempts: none is begun.
std::unique_ptr<JobQueue> make_sqlite_queue(int dir_fd, std::string name = "queue.sqlite",
                                            SqliteQueueOptions options = {});
std::unique_ptr<Outbox> make_sqlite_outbox(int dir_fd, std::string name = "queue.sqlite");
std::unique_ptr<IdempotencyStore> make_sqlite_idempotency_store(int dir_fd, std::string name = "queue.sqlite");

}  // namespace outrigger::store
