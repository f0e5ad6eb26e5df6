#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace outrigger::piston {

// MAJOR.MINOR.PATCH of https://semver.org, without pre-release and build parts: the versions of Debian's packages have
// none.
using Version = std::array<std::uint64_t, 3>;

// The upstream version that a Debian package's version begins with: {3, 11, 2} of "3.11.2-1+b1", {12, 2, 0} of
// "4:12.2.0-3", {1, 19, 0} of "2:1.19~1". What is no number counts as the end.
Version version_of_package(std::string_view debian);

// Whether a range as npm's semver package reads it (github.com/npm/node-semver, "Ranges") takes this version: "3.11.2",
// "3.x", "*", "^18", "~3.11", ">=3.10 <4", "3.10 - 3.11", "1.x || 2.x". False for what is no range.
bool satisfies(const Version& version, std::string_view range);

}  // namespace outrigger::piston
