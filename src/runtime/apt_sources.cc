#include "runtime/apt_sources.h"

#include <algorithm>

namespace outrigger::runtime {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// "deb [arch=amd64 signed-by=/x.gpg] http://…" asks for "/x.gpg".
std::string_view list_line_key(std::string_view line) {
  const auto open = line.find('[');
  const auto close = line.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  for (const std::string_view option : split(line.substr(open + 1, close - open - 1), ' ')) {
    if (option.starts_with("signed-by=")) return option.substr(10);
  }
  return {};
}

// "Signed-By: /x.gpg" of the given stanza, counted from 1 as apt does. A key written out in the file itself can't be
// said in one line and is left to apt's common keys.
std::string_view stanza_key(std::string_view text, std::size_t number) {
  std::size_t stanza = 0;
  bool inside = false;
  for (const std::string_view line : split(text, '\n')) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      inside = false;
      continue;
    }
    if (line.starts_with('#')) continue;
    if (!inside) ++stanza;
    inside = true;
    if (stanza != number || !line.starts_with("Signed-By:")) continue;
    const auto begin = line.find('/');
    return begin == std::string_view::npos ? std::string_view()
                                           : line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  }
  return {};
}

bool is_debian(const IndexTarget& target, std::string_view suite) {
  const std::string name(suite);
  return target.kind == "deb" && target.origin == "Debian" && target.component == "main" &&
         (target.codename == name || target.codename == name + "-updates" || target.codename == name + "-security");
}

std::string options_of(const IndexTarget& target, const ReadFile& read_file) {
  const auto colon = target.entry.rfind(':');
  if (colon == std::string::npos) return {};
  const std::string path = target.entry.substr(0, colon);
  const auto text = read_file(path);
  if (!text) return {};
  const std::string digits = target.entry.substr(colon + 1);
  if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos) return {};
  return entry_options(*text, path.ends_with(".sources"), std::stoul(digits));
}

}  // namespace

std::vector<IndexTarget> parse_index_targets(std::string_view text) {
  std::vector<IndexTarget> targets;
  for (const std::string_view line : split(text, '\n')) {
    const auto part = split(line, '\t');
    if (part.size() != 7) continue;
    targets.push_back({std::string(part[0]), std::string(part[1]), std::string(part[2]), std::string(part[3]),
                       std::string(part[4]), std::string(part[5]), std::string(part[6])});
  }
  return targets;
}

std::string entry_options(std::string_view file_text, bool deb822, std::size_t number) {
  std::string_view key;
  if (deb822) {
    key = stanza_key(file_text, number);
  } else {
    const auto lines = split(file_text, '\n');
    if (number >= 1 && number <= lines.size()) key = list_line_key(lines[number - 1]);
  }
  // A second path or a fingerprint after a blank would end the option early.
  if (!key.starts_with('/') || key.find_first_of(" \t]") != std::string_view::npos) return {};
  return "[signed-by=" + std::string(key) + "]";
}

std::vector<std::string> debian_sources(const std::vector<IndexTarget>& targets, std::string_view suite,
                                        const ReadFile& read_file) {
  std::vector<std::string> sources;
  for (const IndexTarget& target : targets) {
    if (!is_debian(target, suite)) continue;
    const std::string options = options_of(target, read_file);
    std::string line = "deb " + (options.empty() ? "" : options + " ") + target.uri + " " + target.release + " main";
    if (std::find(sources.begin(), sources.end(), line) == sources.end()) sources.push_back(std::move(line));
  }
  // Updates alone are no archive to install from.
  const bool whole = std::any_of(targets.begin(), targets.end(), [&](const IndexTarget& target) {
    return is_debian(target, suite) && target.codename == suite;
  });
  return whole ? sources : std::vector<std::string>();
}

}  // namespace outrigger::runtime
