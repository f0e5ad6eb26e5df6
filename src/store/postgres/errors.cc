#include "store_postgres/errors.h"

namespace outrigger::store::postgres {
namespace {

constexpr std::string_view kQueryCanceled = "57014";
constexpr std::string_view kDataException = "22";
constexpr std::string_view kConstraintViolation = "23";

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

// Names of users, hosts and databases stand in quotation marks.
std::string without_quoted(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      out += quoted ? "\"" : "\"…";
      quoted = !quoted;
    } else if (!quoted) {
      out += c;
    }
  }
  return out;
}

base::Code code_for(std::string_view sqlstate) {
  if (sqlstate.starts_with(kDataException) || sqlstate.starts_with(kConstraintViolation)) return base::Code::kInvalid;
  return sqlstate == kQueryCanceled ? base::Code::kTimedOut : base::Code::kSystem;
}

std::string_view field(const PGresult& result, int code) {
  const char* text = ::PQresultErrorField(&result, code);
  return text != nullptr ? text : "";
}

}  // namespace

// A message is "connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  …", a line for each host tried, and
// at times a line of advice.
std::string shown_reason(std::string_view message, std::span<const std::string> secrets) {
  constexpr std::string_view kFailed = "failed: ";
  if (const auto at = message.rfind(kFailed); at != std::string_view::npos) message.remove_prefix(at + kFailed.size());
  message = message.substr(0, message.find('\n'));
  std::string reason(message);
  for (const std::string& secret : secrets) replace_all(reason, secret, "…");
  reason = without_quoted(reason);
  replace_all(reason, "  ", " ");
  return reason.empty() ? "the connection was lost" : reason;
}

std::vector<std::string> secrets_in(const PQconninfoOption* options) {
  std::vector<std::string> secrets;
  for (; options != nullptr && options->keyword != nullptr; ++options) {
    const std::string_view keyword = options->keyword;
    const bool secret = keyword == "password" || keyword == "sslpassword";
    if (secret && options->val != nullptr && *options->val != '\0') secrets.emplace_back(options->val);
  }
  return secrets;
}

base::Error statement_error(std::string_view step, const PGresult& result, std::span<const std::string> secrets) {
  const std::string_view sqlstate = field(result, PG_DIAG_SQLSTATE);
  if (sqlstate.empty()) {
    return {std::string(step), base::Code::kSystem, 0, shown_reason(::PQresultErrorMessage(&result), secrets)};
  }
  std::string text(field(result, PG_DIAG_MESSAGE_PRIMARY));
  for (const std::string& secret : secrets) replace_all(text, secret, "…");
  return {std::string(step), code_for(sqlstate), 0, text + " (SQLSTATE " + std::string(sqlstate) + ")"};
}

bool leaves_connection(const base::Error& error) { return error.code == base::Code::kInvalid; }

}  // namespace outrigger::store::postgres
