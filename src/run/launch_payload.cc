#include "run/launch_payload.h"

#include <algorithm>
#include <cstring>

#include "jail/plan.h"
#include "jail/template.h"

namespace outrigger::run {
namespace {

constexpr unsigned kSourceMode = 0644;

template <typename T>
std::string raw(const T& plain) {
  std::string bytes(sizeof plain, '\0');
  std::memcpy(bytes.data(), &plain, sizeof plain);
  return bytes;
}

void append_string(std::string& block, const std::string& text) {
  block += text;
  block += '\0';
}

// RLIMIT_CPU counts whole seconds; the exact limit is the cgroup's total.
std::uint64_t whole_seconds(std::chrono::milliseconds time) {
  return static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(time).count());
}

}  // namespace

std::vector<std::string> environment(const model::Runtime& runtime, const Variables& more) {
  Variables variables{
      {"PATH", "/usr/local/bin:/usr/bin:/bin"},
      {"HOME", jail::kHomeDir},
      {"LANG", "C.UTF-8"},
      {"TZ", "UTC"},
      {"USER", "sandbox"},
      {"PWD", jail::kWorkDir},
  };
  const auto set = [&variables](const auto& wanted) {
    const auto found = std::ranges::find(variables, wanted.first, [](const auto& one) { return one.first; });
    if (found == variables.end()) {
      variables.push_back(wanted);
    } else {
      found->second = wanted.second;
    }
  };
  std::ranges::for_each(runtime.env, set);
  std::ranges::for_each(more, set);
  std::vector<std::string> strings;
  strings.reserve(variables.size());
  for (const auto& [name, value] : variables) {
    strings.push_back(name);
    strings.back().append("=").append(value);
  }
  return strings;
}

LaunchPayload::LaunchPayload(const model::Job& job, const model::Runtime& runtime) {
  std::vector<std::string> arguments = runtime.command;
  arguments.insert(arguments.end(), job.args.begin(), job.args.end());
  const std::size_t files = job.files.size() + (job.compiled ? 0 : 1);
  add_head(arguments, environment(runtime, job.env), runtime.command.size(), files, job.limits.cpu_time,
           job.stderr_to_stdout ? jail::kStderrToStdout : 0);
  for (const model::InputFile& file : job.files) add_file(file.path, file.content, file.mode);
  // Last, so that no file of the caller's takes its place.
  if (!job.compiled) add_file(runtime.source_file, job.code, kSourceMode);
}

LaunchPayload::LaunchPayload(const model::Runtime& runtime, std::chrono::milliseconds cpu_time) {
  const bool native = !runtime.prelude.library.empty();
  const std::uint32_t flags = jail::kKeepLaunchSocket | (native ? jail::kKeepControlSocket : 0) |
                              (runtime.prelude.elsewhere ? jail::kStartElsewhere : 0);
  std::vector<std::string> command = runtime.command;
  if (runtime.prelude.elsewhere) {
    std::ranges::replace(command, runtime.source_file, std::string(jail::kWorkDir) + "/" + runtime.source_file);
  }
  add_head(command, environment(runtime, runtime.prelude.env), command.size(), 1, cpu_time, flags);
  add_file(runtime.prelude.path, runtime.prelude.content, kSourceMode);
}

LaunchPayload::LaunchPayload(const model::Runtime& runtime) {
  for (const std::string& module : runtime.template_.imports) imports_ += "import " + module + "\n";
  for (const std::string& function : runtime.template_.reseed) imports_ += "call " + function + "\n";
  std::vector<std::string> variables = environment(runtime, {});
  variables.push_back("LD_PRELOAD=/proc/self/fd/" + std::to_string(jail::kHostLibraryFd));
  add_head(runtime.command, variables, runtime.command.size(), 1, {}, 0);
  add_file(jail::kImportsFile, imports_, kSourceMode);
}

void LaunchPayload::add_head(const std::vector<std::string>& arguments, const std::vector<std::string>& variables,
                             std::size_t command_argc, std::size_t files, std::chrono::milliseconds cpu_time,
                             std::uint32_t flags) {
  std::string strings;
  for (const std::string& argument : arguments) append_string(strings, argument);
  for (const std::string& variable : variables) append_string(strings, variable);
  jail::LaunchHeader header;
  header.argc = static_cast<std::uint32_t>(arguments.size());
  header.envc = static_cast<std::uint32_t>(variables.size());
  header.strings_bytes = static_cast<std::uint32_t>(strings.size());
  header.files = static_cast<std::uint32_t>(files);
  header.flags = flags;
  header.command_argc = static_cast<std::uint32_t>(command_argc);
  header.cpu_seconds = whole_seconds(cpu_time);
  owned_.reserve(1 + files);  // no reallocation: buffers_ points into the strings
  owned_.push_back(raw(header) + strings);
  buffers_.emplace_back(boost::asio::buffer(owned_.back()));
}

void LaunchPayload::add_file(const std::string& path, const std::string& content, unsigned mode) {
  jail::FileHeader header;
  header.path_bytes = static_cast<std::uint32_t>(path.size() + 1);
  header.mode = mode;
  header.size = content.size();
  std::string head = raw(header);
  append_string(head, path);
  owned_.push_back(std::move(head));
  buffers_.emplace_back(boost::asio::buffer(owned_.back()));
  buffers_.emplace_back(boost::asio::buffer(content));
}

}  // namespace outrigger::run
