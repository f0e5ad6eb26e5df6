#pragma once

#include <string>
#include <string_view>

namespace outrigger::runtime {

// The version of an installed package from the text of dpkg's status file (deb822 stanzas); empty where the package is
// not there or not installed. A metapackage such as python3 bears the version of what it stands for ("3.11.2-1+b1").
std::string package_version(std::string_view status, std::string_view package);

// The part of a Debian version that upstream gave: "1:2.3.4+dfsg-1~deb12u2" is "2.3.4".
std::string upstream_version(std::string_view debian_version);

}  // namespace outrigger::runtime
