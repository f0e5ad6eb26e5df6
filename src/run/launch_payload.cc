#include "run/launch_payload.h"

#include <algorithm>
#include <cstring>

#include "jail/plan.h"

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

std::vector<std::string> environment(const model::Job& job, const model::Runtime& runtime) {
  std::vector<std::pair<std::string, std::string>> variables{
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
  std::ranges::for_each(job.env, set);
  std::vector<std::string> strings;
  strings.reserve(variables.size());
  for (const auto& [name, value] : variables) strings.push_back(name + "=" + value);
  return strings;
}

LaunchPayload::LaunchPayload(const model::Job& job, const model::Runtime& runtime) {
  const std::vector<std::string> variables = environment(job, runtime);
  std::string strings;
  for (const std::string& part : runtime.command) append_string(strings, part);
  for (const std::string& argument : job.args) append_string(strings, argument);
  for (const std::string& variable : variables) append_string(strings, variable);

  jail::LaunchHeader header;
  header.argc = static_cast<std::uint32_t>(runtime.command.size() + job.args.size());
  header.envc = static_cast<std::uint32_t>(variables.size());
  header.strings_bytes = static_cast<std::uint32_t>(strings.size());
  header.files = static_cast<std::uint32_t>(job.files.size() + 1);
  header.cpu_seconds = whole_seconds(job.limits.cpu_time);

  owned_.reserve(2 + job.files.size());  // no reallocation: buffers_ points into the strings
  owned_.push_back(raw(header) + strings);
  buffers_.emplace_back(boost::asio::buffer(owned_.back()));
  for (const model::InputFile& file : job.files) add_file(file.path, file.content, file.mode);
  // Last, so that no file of the caller's takes its place.
  add_file(runtime.source_file, job.code, kSourceMode);
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
