#include "runtime/definition.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "runtime/compile_definition.h"
#include "runtime/definition_reader.h"
#include "runtime/text_file.h"

namespace outrigger::runtime {
namespace {

using Presence = DefinitionReader::Presence;
using Reason = std::optional<std::string>;

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kMaxName = 32;
constexpr std::size_t kMaxSentence = 200;
constexpr std::uint32_t kMostPrimed = 256;
constexpr std::uint32_t kMostTemplateJails = 1'000'000;
constexpr std::uint32_t kLongestTemplate = 86'400;

bool only(std::string_view text, std::initializer_list<std::string_view> sets) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return std::any_of(sets.begin(), sets.end(), [&](std::string_view set) { return set.contains(c); });
  });
}

Reason check_name(std::string_view text) {
  const bool good = !text.empty() && text.size() <= kMaxName && only(text.substr(0, 1), {kLower, kDigits}) &&
                    only(text, {kLower, kDigits, "+-_.#"});
  return good ? Reason() : "must be 1 to 32 of a-z 0-9 + - _ . # and begin with a letter or digit";
}

// An image's name is the name of a directory.
Reason check_image(std::string_view text) {
  const bool good = !text.empty() && text.size() <= kMaxName && only(text.substr(0, 1), {kLower, kDigits}) &&
                    only(text, {kLower, kDigits, "-_"});
  return good ? Reason() : "must be 1 to 32 of a-z 0-9 - _ and begin with a letter or digit";
}

// Debian policy 5.6.1. What it forbids would be read by apt as a pattern, a version or a removal.
Reason check_package(std::string_view text) {
  const bool good = text.size() >= 2 && only(text.substr(0, 1), {kLower, kDigits}) &&
                    only(text, {kLower, kDigits, "+-."}) && !text.ends_with('-');
  return good ? Reason() : "must be the name of a Debian package";
}

Reason check_source_file(std::string_view text) {
  const bool good = !text.empty() && text.size() <= 255 && text.front() != '.' && text.front() != '-' &&
                    only(text, {kLower, kUpper, kDigits, "._-"});
  return good ? Reason() : "must be a plain file name of letters, digits, . _ - that does not begin with . or -";
}

Reason check_syscall(std::string_view text) {
  return !text.empty() && only(text, {kLower, kDigits, "_"}) ? Reason() : "must be the name of a system call";
}

Reason check_sentence(std::string_view text) {
  const bool good = text.size() <= kMaxSentence && text.find('\n') == std::string_view::npos;
  return good ? Reason() : "must be one line of at most 200 bytes";
}

Reason anything(std::string_view) { return {}; }

Reason check_strategy(std::string_view text) {
  const bool good = text.empty() || text == "exec" || text == "preload" || text == "zygote";
  return good ? Reason() : "must be \"exec\", \"preload\" or \"zygote\"";
}

model::Strategy strategy_named(std::string_view name) {
  if (name == "preload") return model::Strategy::kPreload;
  return name == "zygote" ? model::Strategy::kZygote : model::Strategy::kExec;
}

// Of a library that lies beside the programs.
Reason check_library(std::string_view text) {
  const bool good = !text.empty() && text.size() <= kMaxName && only(text, {kLower, kDigits, "_-"});
  return good ? Reason() : "must be the name of a library of Outrigger's: a-z 0-9 _ -";
}

Reason check_module(std::string_view text) {
  const bool good = !text.empty() && only(text, {kLower, kUpper, kDigits, "._"});
  return good ? Reason() : "must be the name of a module";
}

Reason check_callable(std::string_view text) {
  const std::size_t colon = text.find(':');
  const bool good =
      colon != std::string_view::npos && !check_module(text.substr(0, colon)) && !check_module(text.substr(colon + 1));
  return good ? Reason() : "must be \"module:function\"";
}

Reason check_variable_pattern(std::string_view text) {
  if (text.ends_with('*')) text.remove_suffix(1);
  return check_variable_name(text) ? Reason("must be a variable's name, or the beginning of one and *") : Reason();
}

Reason check_prelude_file(std::string_view text) {
  const bool good = !text.empty() && text.front() != '/' && text.find("..") == std::string_view::npos;
  return good ? Reason() : "must be a path relative to this file's directory, without \"..\"";
}

// Only there may the guest write, and so lay it down and take it away again.
Reason check_prelude_path(std::string_view text) {
  const bool good = text.starts_with("/tmp/") && text.find("..") == std::string_view::npos;
  return good ? Reason() : "must be an absolute path below /tmp/";
}

base::Status check_prelude(const Definition& definition, std::string_view origin) {
  const model::Prelude& prelude = definition.runtime.prelude;
  const bool has_file = !prelude.file.empty() && !prelude.path.empty();
  const bool has_prelude = has_file != !prelude.library.empty();
  const bool wants_one = definition.runtime.strategy == model::Strategy::kPreload;
  if (has_prelude == wants_one) return {};
  return base::failure(
      base::Code::kInvalid, "load_runtime",
      std::string(origin) +
          ": `prelude` and `prelude_path`, or else `prelude_library`, go with strategy = \"preload\", and it "
          "with them");
}

base::Status check_template(const Definition& definition, std::string_view origin) {
  const model::Template& wanted = definition.runtime.template_;
  const bool given = !wanted.host.empty();
  const bool more = !wanted.imports.empty() || !wanted.reseed.empty();
  const bool wants_one = definition.runtime.strategy == model::Strategy::kZygote;
  if (given == wants_one && (given || !more)) return {};
  return base::failure(
      base::Code::kInvalid, "load_runtime",
      std::string(origin) +
          ": `template_host` goes with strategy = \"zygote\", and it with that; `template_imports` and "
          "`template_reseed` go with both");
}

// What waits in a jail has been started, and a program that is yet to be compiled can't be.
base::Status check_compile(const model::Runtime& runtime, std::string_view origin) {
  if (runtime.compile.command.empty() || runtime.strategy == model::Strategy::kExec) return {};
  return base::failure(base::Code::kInvalid, "load_runtime",
                       std::string(origin) + ": [compile] goes with strategy = \"exec\" only");
}

base::Status check_command(const model::Runtime& runtime, std::string_view origin) {
  if (!runtime.command.empty() && runtime.command.front().starts_with('/')) return {};
  return base::failure(base::Code::kInvalid, "load_runtime",
                       std::string(origin) + ": `command[0]` must be an absolute path in the image");
}

base::Status check_unique(const std::vector<Definition>& definitions) {
  std::map<std::string, std::string> owner;
  for (const Definition& definition : definitions) {
    std::vector<std::string> names = definition.runtime.aliases;
    names.push_back(definition.runtime.name);
    for (const std::string& name : names) {
      const auto [it, fresh] = owner.emplace(name, definition.runtime.name);
      if (fresh) continue;
      return base::failure(base::Code::kConflict, "load_runtime",
                           "the name \"" + name + "\" is claimed by the runtimes " + it->second + " and " +
                               definition.runtime.name + "; rename one");
    }
  }
  return {};
}

void read_template(DefinitionReader& reader, model::Template& wanted) {
  wanted.host = reader.text("template_host", Presence::kOptional, check_library);
  wanted.imports = reader.texts("template_imports", Presence::kOptional, check_module);
  wanted.reseed = reader.texts("template_reseed", Presence::kOptional, check_callable);
  wanted.max_jails = reader.number("template_jails", wanted.max_jails, 1, kMostTemplateJails);
  wanted.max_age_s = reader.number("template_seconds", wanted.max_age_s, 1, kLongestTemplate);
}

}  // namespace

base::Result<Definition> parse_definition(std::string_view toml, std::string_view origin) {
  toml::table table;
  try {
    table = toml::parse(toml, origin);
  } catch (const toml::parse_error& error) {
    const auto& where = error.source().begin;
    return base::failure(base::Code::kInvalid, "load_runtime",
                         std::string(origin) + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) +
                             ": " + std::string(error.description()));
  }
  DefinitionReader reader(table, origin);
  Definition definition;
  model::Runtime& runtime = definition.runtime;
  runtime.name = reader.text("name", Presence::kRequired, check_name);
  definition.description = reader.text("description", Presence::kOptional, check_sentence);
  runtime.aliases = reader.texts("aliases", Presence::kOptional, check_name);
  runtime.image = reader.text("image", Presence::kRequired, check_image);
  runtime.packages = reader.texts("packages", Presence::kRequired, check_package);
  runtime.source_file = reader.text("source_file", Presence::kRequired, check_source_file);
  runtime.command = reader.texts("command", Presence::kRequired, anything);
  runtime.env = reader.variables("env", check_variable_name, anything);
  runtime.extra_syscalls = reader.texts("extra_syscalls", Presence::kOptional, check_syscall);
  runtime.strategy = strategy_named(reader.text("strategy", Presence::kOptional, check_strategy));
  runtime.prelude.file = reader.text("prelude", Presence::kOptional, check_prelude_file);
  runtime.prelude.library = reader.text("prelude_library", Presence::kOptional, check_library);
  runtime.prelude.path = reader.text("prelude_path", Presence::kOptional, check_prelude_path);
  runtime.prelude.elsewhere = reader.boolean("prelude_elsewhere", false);
  runtime.prelude.env = reader.variables("prelude_env", check_variable_name, anything);
  read_template(reader, runtime.template_);
  const toml::table* compile = reader.table("compile");
  runtime.start_variables = reader.texts("start_variables", Presence::kOptional, check_variable_pattern);
  runtime.primed.min = reader.number("primed_min", runtime.primed.min, 0, kMostPrimed);
  runtime.primed.max = reader.number("primed_max", runtime.primed.max, runtime.primed.min, kMostPrimed);
  runtime.on_demand = reader.boolean("on_demand", false);
  runtime.refuses_sockets = reader.boolean("refuse_sockets", false);
  if (const auto finished = reader.finish(); !finished) return std::unexpected(finished.error());
  if (compile != nullptr) {
    auto step = read_compile_step(*compile, origin);
    if (!step) return std::unexpected(step.error());
    runtime.compile = std::move(*step);
  }
  if (const auto checked = check_prelude(definition, origin); !checked) return std::unexpected(checked.error());
  if (const auto checked = check_template(definition, origin); !checked) return std::unexpected(checked.error());
  if (const auto checked = check_compile(runtime, origin); !checked) return std::unexpected(checked.error());
  if (const auto checked = check_command(runtime, origin); !checked) return std::unexpected(checked.error());
  return definition;
}

base::Result<std::vector<Definition>> load_definitions(const std::filesystem::path& directory) {
  std::error_code code;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator it(directory, code), end; !code && it != end; it.increment(code)) {
    if (it->path().extension() == ".toml") files.push_back(it->path());
  }
  if (code) return base::system_error("load_runtime", directory.string(), code.value());
  if (files.empty()) {
    return base::failure(base::Code::kNotFound, "load_runtime",
                         directory.string() + " holds no runtime (*.toml); name the right directory by --runtimes-dir");
  }
  std::sort(files.begin(), files.end());
  std::vector<Definition> definitions;
  std::vector<Definition> on_demand;  // last: who looks for a language by the name of a file takes the first that fits
  for (const auto& file : files) {
    const auto text = read_text_file(file);
    if (!text) return std::unexpected(text.error());
    auto definition = parse_definition(*text, file.string());
    if (!definition) return std::unexpected(definition.error());
    if (!definition->runtime.prelude.file.empty()) {
      auto prelude = read_text_file(directory / definition->runtime.prelude.file);
      if (!prelude) return std::unexpected(prelude.error());
      definition->runtime.prelude.content = std::move(*prelude);
    }
    auto& where = definition->runtime.on_demand ? on_demand : definitions;
    where.push_back(std::move(*definition));
  }
  std::ranges::move(on_demand, std::back_inserter(definitions));
  if (const auto unique = check_unique(definitions); !unique) return std::unexpected(unique.error());
  return definitions;
}

}  // namespace outrigger::runtime
