#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "store/idempotency_store.h"
#include "store/job_queue.h"

// The queue and the idempotency keys in Redis 6.2 or newer, one server (not a cluster). Keys, where the prefix is
// "sandbox":
//   sandbox:jobs              list: JSON entries; any producer may LPUSH, consumers take from the right
//   sandbox:jobs:taken:<w>    list: what worker w has moved out and not claimed yet
//   sandbox:jobs:dead         list: JSON of what was given up, newest left (dead_entry.h)
//   sandbox:job:<id>          hash: state, attempt, worker, entry, cancel, last_failure; expires once it is final
//   sandbox:results:<id>      string: the result, JSON, for its lifetime
//   sandbox:running:<w>       set: ids of the jobs w has claimed
//   sandbox:workers           set: workers that may hold anything
//   sandbox:lease:<w>         string: there while w lives
//   sandbox:idempotency:<key> hash: fingerprint, claimant, answer
//   sandbox:done              channel: the plain id of each job that has become final
// A server at its memory limit refuses put(), and still lets the queue be worked off.
namespace outrigger::store_redis {

struct RedisOptions {
  // redis://[[user]:password@]host[:port][/database] or unix://[[user]:password@]/path[?db=database]; user and password
  // percent-encoded where they hold one of ":/@?#%". TLS is not spoken: put a tunnel or a socket in between.
  std::string url;
  std::string prefix = "sandbox";
  // This process among all that share the queue: 1 to 128 of [A-Za-z0-9._:-]. Two at once must never have the same one.
  std::string worker;
  std::chrono::milliseconds lease{15'000};            // at least 1 s; renew() is to be called three times as often
  std::chrono::milliseconds command_deadline{3'000};  // of a whole call, connecting included (but not resolving names)
  std::uint32_t max_attempts =
      3;  // an attempt above it is taken to be buried, not begun: the dead list doesn't count it
  std::size_t largest_entry = 16UL << 20U;  // bytes; what is larger goes to the dead list
};

// Both connect when they are first asked for something. kInvalid where an option breaks its rule.
//
// The queue remembers each job it hands out until finish(), bury() or give_back() has answered for it, or renew() has
// said that it is lost: such a job must be in each renew() by then. What a failed call left half done is put right by
// renew(). open() returns to the queue what an earlier process under this worker's name left.
base::Result<std::unique_ptr<store::JobQueue>> make_redis_queue(RedisOptions options);
// Takes url, prefix and command_deadline of the options.
base::Result<std::unique_ptr<store::IdempotencyStore>> make_redis_idempotency_store(RedisOptions options);

// What may be shown of a URL: "host:port/database" or "/path/database". kInvalid, naming the rule, where it is none;
// neither ever holds the password.
base::Result<std::string> redis_place(std::string_view url);

}  // namespace outrigger::store_redis
