#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace outrigger::runtime {

// One index that this machine's apt knows, as `apt-get indextargets` tells it in the format kIndexTargetsFormat.
struct IndexTarget {
  std::string kind;       // "deb"
  std::string origin;     // of the signed Release file: "Debian", also on a mirror
  std::string codename;   // "bookworm-security"
  std::string release;    // the suite as configured: "bookworm-security", "stable-security"
  std::string component;  // "main"
  std::string uri;        // of the archive
  std::string entry;  // "/etc/apt/sources.list.d/debian.sources:1": the line of a list, the stanza of a sources file
};

inline constexpr char kIndexTargetsFormat[] =
    "$(TARGET_OF)\t$(ORIGIN)\t$(CODENAME)\t$(RELEASE)\t$(COMPONENT)\t$(REPO_URI)\t$(SOURCESENTRY)";

std::vector<IndexTarget> parse_index_targets(std::string_view text);

// The "[signed-by=…]" that the entry in the machine's own sources asks for; empty where it trusts apt's common keys.
std::string entry_options(std::string_view file_text, bool deb822, std::size_t number);

// Debian's own archive of `suite`, its updates and its security fixes, as one-line sources. Other vendors' archives
// that the machine may use as well are left out: an image is made of Debian's packages. read_file gives the text of a
// sources file; nothing where it can't be read.
using ReadFile = std::function<std::optional<std::string>(const std::string&)>;
std::vector<std::string> debian_sources(const std::vector<IndexTarget>& targets, std::string_view suite,
                                        const ReadFile& read_file);

}  // namespace outrigger::runtime
