#include "runtime/machine_apt.h"

#include <algorithm>
#include <array>

#include "runtime/apt_sources.h"
#include "runtime/subprocess.h"
#include "runtime/text_file.h"

namespace outrigger::runtime {
namespace {

base::Result<std::string> output_of(std::vector<std::string> argv) {
  const std::string program = argv.front();
  const auto finished = run_subprocess({std::move(argv), tool_environment()}, [](std::string_view) {});
  if (!finished) return std::unexpected(finished.error());
  if (finished->wait_status != 0) {
    return base::failure(base::Code::kSystem, program, describe_wait_status(finished->wait_status));
  }
  return finished->out;
}

}  // namespace

std::string transport_settings(std::string_view dump) {
  static constexpr std::array kWanted{"Acquire::http", "Acquire::https", "Acquire::Retries",
                                      "Acquire::Check-Valid-Until", "Acquire::Check-Date"};
  // apt would look for credentials below the new root.
  std::string out = "Dir::Etc::netrc \"/etc/apt/auth.conf\";\nDir::Etc::netrcparts \"/etc/apt/auth.conf.d\";\n";
  while (!dump.empty()) {
    const auto end = std::min(dump.find('\n'), dump.size());
    const std::string_view line = dump.substr(0, end);
    dump.remove_prefix(std::min(end + 1, dump.size()));
    const bool wanted = std::any_of(kWanted.begin(), kWanted.end(), [&](std::string_view name) {
      return line.starts_with(std::string(name) + " ") || line.starts_with(std::string(name) + "::");
    });
    if (wanted && !line.ends_with(" \"\";")) out += std::string(line) + "\n";
  }
  return out;
}

base::Result<Archive> machine_archive(std::string_view suite) {
  const auto text =
      output_of({"/usr/bin/apt-get", "indextargets", "--format", kIndexTargetsFormat, "Identifier: Packages"});
  if (!text) return std::unexpected(text.error());
  auto sources = debian_sources(parse_index_targets(*text), suite, [](const std::string& path) {
    auto content = read_text_file(path);
    return content ? std::optional(std::move(*content)) : std::nullopt;
  });
  if (sources.empty()) {
    return base::failure(base::Code::kNotFound, "apt_sources",
                         "apt knows no Debian " + std::string(suite) +
                             " archive: run `apt-get update`, or add one to /etc/apt/sources.list first");
  }
  const auto dump = output_of({"/usr/bin/apt-config", "dump", "--format", "%F \"%v\";%n", "Acquire"});
  if (!dump) return std::unexpected(dump.error());
  return Archive{std::move(sources), transport_settings(*dump)};
}

}  // namespace outrigger::runtime
