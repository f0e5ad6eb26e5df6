#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "jailer/client.h"
#include "model/job.h"
#include "model/outcome.h"
#include "model/runtime.h"
#include "pool/compile_cache.h"
#include "run/cancellation.h"

namespace outrigger::pool {

// Runs the compile step of a job: a program like any other, in a jail of its own that is gone when this ends, with the
// limits of its runtime and a control group that bears no job's id. Its group's name and its counters are nobody's
// business: what the auditor sees of a job, and its summary, are of its program.
class Compiler {
 public:
  Compiler(jailer::Client& jailer, std::uint64_t cache_bytes) : jailer_(jailer), cache_(cache_bytes) {}

  // What an earlier job has compiled under this key (compile_key()); null where none has.
  std::shared_ptr<const Compiled> find(const std::string& key) { return cache_.find(key); }

  struct Result {
    std::shared_ptr<const Compiled> compiled;  // null where compiling has failed:
    model::Outcome outcome = {};               // then the whole job's, its program not run; without id and queue time
  };
  // `key`: the job's; `runtime`: the jailer's index of it. All by reference must outlive the call.
  boost::asio::awaitable<Result> compile(const std::string& key, const model::Job& job,
                                         const model::InstalledRuntime& installed, std::uint32_t runtime,
                                         run::Cancellation& cancellation);

  // The job that runs what was compiled: the request's files and the artifacts, without the code.
  static model::Job program(const model::Job& job, const Compiled& compiled);

 private:
  jailer::Client& jailer_;
  CompileCache cache_;
};

}  // namespace outrigger::pool
