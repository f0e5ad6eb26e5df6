#include "runtime/package_status.h"

namespace outrigger::runtime {
namespace {

// The value of `field` in one stanza; continuation lines begin with a blank and are never taken for fields.
std::string_view field_value(std::string_view stanza, std::string_view field) {
  while (!stanza.empty()) {
    const auto end = stanza.find('\n');
    const std::string_view line = stanza.substr(0, end);
    stanza.remove_prefix(end == std::string_view::npos ? stanza.size() : end + 1);
    if (line.size() < field.size() + 1 || !line.starts_with(field) || line[field.size()] != ':') continue;
    const auto begin = line.find_first_not_of(' ', field.size() + 1);
    return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
  }
  return {};
}

}  // namespace

std::string package_version(std::string_view status, std::string_view package) {
  while (!status.empty()) {
    const auto end = status.find("\n\n");
    const std::string_view stanza = status.substr(0, end);
    status.remove_prefix(end == std::string_view::npos ? status.size() : end + 2);
    if (field_value(stanza, "Package") != package) continue;
    if (field_value(stanza, "Status") != "install ok installed") return {};
    return std::string(field_value(stanza, "Version"));
  }
  return {};
}

std::string upstream_version(std::string_view debian_version) {
  if (const auto epoch = debian_version.find(':'); epoch != std::string_view::npos) {
    debian_version.remove_prefix(epoch + 1);
  }
  debian_version = debian_version.substr(0, debian_version.rfind('-'));
  return std::string(debian_version.substr(0, debian_version.find_first_of("+~")));
}

}  // namespace outrigger::runtime
