#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace outrigger::runtime {

// Where an image's packages come from, and how apt gets there.
struct Archive {
  std::vector<std::string> sources;  // one-line apt sources
  std::string settings;              // apt.conf text: proxies, retries, certificates, credentials
};

// debian_sources() of this machine's apt, and its transport settings: mmdebstrap's apt reads none of /etc/apt by
// itself. kNotFound says what to do where apt knows no such archive.
base::Result<Archive> machine_archive(std::string_view suite);

// The settings of an `apt-config dump` that concern transport.
std::string transport_settings(std::string_view dump);

}  // namespace outrigger::runtime
