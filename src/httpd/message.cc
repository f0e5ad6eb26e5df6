#include "httpd/message.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace outrigger::httpd {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
  }
}

// IMF-fixdate of RFC 9110, made once a second.
const std::string& date() {
  static std::string text;
  static std::time_t made = 0;
  const std::time_t now = std::time(nullptr);
  if (now == made) return text;
  std::tm parts{};
  static_cast<void>(::gmtime_r(&now, &parts));
  std::array<char, 40> buffer{};
  text.assign(buffer.data(), std::strftime(buffer.data(), buffer.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts));
  made = now;
  return text;
}

struct Target {
  std::optional<std::string_view> authority;  // of the absolute form only
  std::string_view path;
  std::string_view query;
};

Target split(std::string_view target) {
  Target parts;
  if (target.starts_with("http://") || target.starts_with("https://")) {
    target.remove_prefix(target.find("//") + 2);
    const std::size_t end = std::min(target.find_first_of("/?#"), target.size());
    parts.authority = target.substr(0, end);
    target.remove_prefix(end);
    if (!target.starts_with('/')) target = "/";
  }
  target = target.substr(0, target.find('#'));
  const std::size_t mark = target.find('?');
  parts.path = target.substr(0, mark);
  if (mark != std::string_view::npos) parts.query = target.substr(mark + 1);
  return parts;
}

}  // namespace

bool same_token(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::size_t RequestHead::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(headers, [name](const Header& header) { return same_token(header.first, name); }));
}

std::optional<std::string_view> RequestHead::only(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const auto& [key, value] : headers) {
    if (!same_token(key, name)) continue;
    if (found) return std::nullopt;
    found = value;
  }
  return found;
}

std::string_view RequestHead::query() const { return split(target).query; }

std::string_view RequestHead::path() const { return split(target).path; }

std::optional<std::string_view> RequestHead::authority() const {
  const Target parts = split(target);
  return parts.authority ? parts.authority : only("Host");
}

namespace {

// A line, or nothing where all is as HTTP/1.1 has it by itself. Who sends Upgrade names it here (RFC 9110, 7.8).
std::string connection_field(const Response& response, const RequestHead& request, bool keep_alive) {
  const bool upgrades =
      std::ranges::any_of(response.headers, [](const Header& header) { return header.first == "Upgrade"; });
  std::string options = upgrades ? "Upgrade" : "";
  if (!keep_alive || request.version == 10) {
    options += options.empty() ? "" : ", ";
    options += keep_alive ? "keep-alive" : "close";
  }
  return options.empty() ? "" : "Connection: " + options + "\r\n";
}

// `length`: what says how far the body goes, a whole line.
std::string write_head(const Response& response, const RequestHead& request, bool keep_alive,
                       const std::string& length) {
  std::string out;
  out.reserve(400);
  out += "HTTP/1.1 " + std::to_string(response.status) + ' ';
  out += reason_phrase(response.status);
  out += "\r\nDate: " + date();
  out += "\r\nContent-Type: ";
  out += response.content_type;
  out += "\r\n" + length;
  // Answers are about now and for the asker; and no browser may take one for anything but what it says.
  out += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : response.headers) {
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
  }
  return out + connection_field(response, request, keep_alive) + "\r\n";
}

}  // namespace

std::string head_to_wire(const Response& response, const RequestHead& request, bool keep_alive) {
  return write_head(response, request, keep_alive, "Content-Length: " + std::to_string(response.body.size()) + "\r\n");
}

std::string stream_head_to_wire(const Response& response, const RequestHead& request, bool keep_alive) {
  return write_head(response, request, keep_alive, request.version >= 11 ? "Transfer-Encoding: chunked\r\n" : "");
}

}  // namespace outrigger::httpd
