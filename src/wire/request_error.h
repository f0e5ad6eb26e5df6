#pragma once

#include <string>

#include "base/error.h"

namespace outrigger::wire {

// Why a request was refused: a sentence for people and, where one is to blame, the field ("limits.pids", "args[3]").
struct RequestError {
  base::Code code = base::Code::kInvalid;
  std::string field;
  std::string message;
};

}  // namespace outrigger::wire
