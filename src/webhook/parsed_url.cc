#include "webhook/parsed_url.h"

#include <algorithm>
#include <charconv>
#include <new>
#include <string_view>

namespace outrigger::webhook {
namespace {

constexpr std::size_t kLongestUrl = 2048;
constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

std::unexpected<base::Error> refuse(std::string_view rule) {
  return base::failure(base::Code::kInvalid, "callback_url", rule);
}

// Empty where the URL has no such part.
std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, flags) != CURLUE_OK) return {};
  std::string out(text);
  curl_free(text);
  return out;
}

// A backslash is a slash to some parsers, and nothing to others.
bool is_plain(char c) { return c > ' ' && c < '\x7f' && c != '\\'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

base::Result<ParsedUrl> parse_url(const std::string& url) {
  if (url.size() > kLongestUrl) return refuse("it must not be longer than 2048 bytes");
  if (!std::ranges::all_of(url, is_plain))
    return refuse("it must consist of visible ASCII characters without a backslash");
  ParsedUrl out;
  out.handle.reset(curl_url());
  if (!out.handle) throw std::bad_alloc();
  const CURLUcode code = curl_url_set(out.handle.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME);
  if (code != CURLUE_OK)
    return refuse("it must look like https://HOST[:PORT]/PATH: " + std::string(curl_url_strerror(code)));
  const std::string scheme = part(out.handle.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return refuse("its scheme must be http or https");
  // libcurl takes one to three slashes; others read another host then.
  const std::string_view after_scheme = std::string_view(url).substr(scheme.size());
  if (!after_scheme.starts_with("://") || after_scheme.starts_with(":///")) {
    return refuse("it must look like https://HOST[:PORT]/PATH");
  }
  // Asked for as a whole, since an empty user before '@' is a part of it too.
  const auto authority_end = url.find_first_of("/?#", scheme.size() + std::string_view("://").size());
  if (url.substr(0, authority_end).contains('@')) return refuse("it must hold no user or password");
  out.host = part(out.handle.get(), CURLUPART_HOST);
  std::ranges::transform(out.host, out.host.begin(), lower);
  if (out.host.empty()) return refuse("it has no host");
  if (!part(out.handle.get(), CURLUPART_ZONEID).empty()) return refuse("its address must have no zone");
  out.scheme_port = scheme == "http" ? kHttpPort : kHttpsPort;
  const std::string port = part(out.handle.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (error != std::errc() || end != port.data() + port.size() || out.port == 0) {
    return refuse("its port must be a number from 1 to 65535");
  }
  return out;
}

}  // namespace outrigger::webhook
