#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "jailer/protocol.h"
#include "jailer/template_process.h"

namespace outrigger::jailer {

// All that the daemon ever says of which jails there may be.
struct Definitions {
  Begin limits;
  base::UniqueFd sandbox_init;
  std::vector<base::UniqueFd> filters;  // those and the following: one a runtime
  std::vector<std::optional<TemplateDefinition>> templates;
  std::vector<std::string> images;
};

// Reads them from `socket`, and builds the filters. Error steps: receive_definitions, build_filter's.
base::Result<Definitions> receive_definitions(int socket);

}  // namespace outrigger::jailer
