#include "cli/language.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "model/runtime_name.h"

namespace outrigger::cli {
namespace {

std::string by_ending(std::string_view file_name, std::span<const runtime::Definition> definitions) {
  const std::string ending = std::filesystem::path(file_name).extension().string();
  if (ending.empty()) return {};
  for (const auto& [runtime, description] : definitions) {
    if (std::filesystem::path(runtime.source_file).extension() == ending) return runtime.name;
  }
  // "x.mjs" no, but "x.bash" is named as the runtime is.
  for (const auto& [runtime, description] : definitions) {
    if (model::has_name(runtime, std::string_view(ending).substr(1))) return runtime.name;
  }
  return {};
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const auto end = std::min(line.find_first_of(" \t\r"), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

// "#!/usr/bin/python3 -u", "#!/usr/bin/env -S node": the program's last path component, options passed over.
std::string_view shebang_program(std::string_view code) {
  if (!code.starts_with("#!")) return {};
  for (const std::string_view word : words_of(code.substr(2, code.find('\n') - 2))) {
    if (word.starts_with('-')) continue;
    const std::string_view name = word.substr(word.rfind('/') + 1);
    if (name != "env") return name;
  }
  return {};
}

}  // namespace

std::string guess_language(std::string_view file_name, std::string_view code,
                           std::span<const runtime::Definition> definitions) {
  if (std::string found = by_ending(file_name, definitions); !found.empty()) return found;
  std::string_view program = shebang_program(code);
  // "python3.11" is python3 too.
  while (!program.empty()) {
    for (const auto& [runtime, description] : definitions) {
      if (model::has_name(runtime, program)) return runtime.name;
    }
    const auto dot = program.rfind('.');
    if (dot == std::string_view::npos) break;
    program = program.substr(0, dot);
  }
  return {};
}

}  // namespace outrigger::cli
