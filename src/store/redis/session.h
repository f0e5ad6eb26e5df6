#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "store_redis/link.h"
#include "store_redis/scripts.h"

namespace outrigger::store_redis {

struct ScriptCall {
  const Script* script;
  std::vector<std::string> keys;
  std::vector<std::string> arguments;
};

// Calls by one thread over one connection.
class Session {
 public:
  Session(Address address, std::size_t largest_reply) : link_(std::move(address), largest_reply) {}

  // One reply a call, in order, in one round trip where Redis knows the scripts. An error reply is an Error; what
  // stands beside it was executed all the same.
  base::Result<std::vector<Reply>> run(std::span<const ScriptCall> calls, Deadline deadline);
  base::Result<Reply> run_one(ScriptCall call, Deadline deadline);
  base::Result<std::vector<Reply>> run(const Commands& commands, Deadline deadline, int wake_fd = -1);

 private:
  base::Result<std::vector<Reply>> judged(std::vector<Reply> replies);

  Link link_;
};

}  // namespace outrigger::store_redis
