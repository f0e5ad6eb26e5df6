#pragma once

#include <string>

#include "base/error.h"
#include "jailer/start.h"
#include "model/runtime.h"

namespace outrigger::run {

// Opens what the templates of a runtime are started from: its host, a library in the programs' directory, and its
// launch stream in a sealed memfd. Invalid descriptors for a runtime without templates. Error step: template_files.
base::Result<jailer::TemplateFiles> template_files(const model::Runtime& runtime, const std::string& programs);

// Reads the library of a runtime's prelude, where it has one, and says how the loader finds it in a jail. Error step:
// prelude_library.
base::Status load_prelude_library(model::Runtime& runtime, const std::string& programs);

}  // namespace outrigger::run
