#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"

namespace outrigger::webhook {

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

// A URL as libcurl reads it: what is judged and what is connected to is one parse, by one parser.
struct ParsedUrl {
  std::unique_ptr<CURLU, FreeUrl> handle;
  std::string host;  // lower case; an IPv6 address in brackets
  std::uint16_t port = 0;
  std::uint16_t scheme_port = 0;
};

// kInvalid where it is none, or breaks a rule that does not depend on configuration: http or https, at most 2048
// bytes of visible ASCII, no user or password.
base::Result<ParsedUrl> parse_url(const std::string& url);

}  // namespace outrigger::webhook
