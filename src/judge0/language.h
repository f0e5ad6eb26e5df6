#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/runtime.h"

namespace outrigger::judge0 {

// One of Judge0's language ids, and what runs it here.
struct Language {
  int id = 0;
  std::string name;  // as Judge0 writes them, with our version: "Python (3.11.2)"
  const model::InstalledRuntime* installed = nullptr;
};

// Judge0 has an id for each version of a language. Those of the languages we have are all taken, whichever version they
// mean there, but for those of another language (Python 2); nothing for the others. Whether its image has been built is
// for the caller to look at.
std::optional<Language> find_language(std::span<const model::InstalledRuntime> runtimes, int id);

// GET /languages: [{"id", "name"}], one id a language, of those whose image has been built. `all`: as /languages/all,
// with "is_archived".
std::string languages_json(std::span<const model::InstalledRuntime> runtimes, bool all);

// GET /languages/{id}: {"id", "name", "is_archived", "source_file", "compile_cmd", "run_cmd"}.
std::string language_json(const Language& language);

}  // namespace outrigger::judge0
