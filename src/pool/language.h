#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "model/runtime.h"

namespace outrigger::pool {

// The runtime of this name or alias; null where there is none.
const model::InstalledRuntime* find_runtime(const std::vector<model::InstalledRuntime>& runtimes,
                                            std::string_view language);

// Why a job can't be run in its language.
struct LanguageFault {
  bool unavailable = false;  // it is known, and its image is not there; else the request is wrong
  std::string field;
  std::string message;  // a sentence
};

// Gives the job its runtime's own name.
std::optional<LanguageFault> settle_language(model::Job& job, const std::vector<model::InstalledRuntime>& runtimes);

}  // namespace outrigger::pool
