#include "tenants/token_lines.h"

#include <algorithm>
#include <array>
#include <boost/json/value.hpp>
#include <cmath>

#include "base/ids.h"
#include "wire/fields.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"
#include "wire/limits_json.h"
#include "wire/limits_text.h"
#include "wire/time_text.h"

namespace outrigger::tenants {
namespace {

using std::chrono::system_clock;
using wire::Fields;
using wire::Refusal;

constexpr std::array<std::string_view, 7> kTokenFields{"token",   "tenant",  "sha256", "created",
                                                       "expires", "revoked", "note"};
constexpr std::array<std::string_view, 4> kQuotaFields{"quotas", "concurrent", "per_minute", "limits"};

bool is_sha256(std::string_view text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::optional<system_clock::time_point> read_time(const Fields& fields, std::string_view name, Refusal& refusal) {
  if (fields.find(name) == nullptr) return std::nullopt;
  const auto time = wire::parse_time(fields.optional_text(name));
  if (!time) refusal.invalid(fields.path(name), "must be a time as 2025-01-31T09:30:00Z");
  return time;
}

Token read_token(const Fields& fields, Refusal& refusal) {
  fields.refuse_unknown(kTokenFields);
  Token token;
  token.id = fields.required_text("token");
  if (!is_token_id(token.id)) refusal.invalid("token", "must be 1 to 32 of a-z 0-9 -, not beginning with -");
  token.tenant = fields.required_text("tenant");
  if (!is_token_tenant(token.tenant)) refusal.invalid("tenant", "must be 1 to 64 of A-Z a-z 0-9 . _ -, or \"*\"");
  token.sha256 = fields.required_text("sha256");
  if (!is_sha256(token.sha256)) refusal.invalid("sha256", "must be 64 lower-case hexadecimal digits");
  static_cast<void>(fields.required_text("created"));
  token.created = read_time(fields, "created", refusal).value_or(system_clock::time_point{});
  token.expires = read_time(fields, "expires", refusal);
  token.revoked = read_time(fields, "revoked", refusal);
  token.note = fields.optional_text("note");
  return token;
}

std::uint32_t read_count(const Fields& fields, std::string_view name, std::uint32_t most, Refusal& refusal) {
  const boost::json::value* value = fields.find(name);
  if (value == nullptr) return 0;
  const std::int64_t* number = value->if_int64();
  if (number != nullptr && *number >= 1 && *number <= most) return static_cast<std::uint32_t>(*number);
  refusal.invalid(fields.path(name), "must be an integer from 1 to " + std::to_string(most));
  return 0;
}

// Any value that a ceiling of the configuration could have: what is above that one has no effect.
void read_ceilings(const boost::json::object& object, Quotas& quotas, Refusal& refusal) {
  model::Limits most;
  for (const model::LimitField& field : model::kLimitFields) field.set(most, field.maximum);
  const model::Limits limits = wire::read_limits(object, most, most, refusal);
  for (std::size_t i = 0; i < model::kLimitFields.size(); ++i) {
    const model::LimitField& field = model::kLimitFields.at(i);
    if (object.if_contains({field.name.data(), field.name.size()}) != nullptr)
      quotas.ceilings.at(i) = field.get(limits);
  }
}

TenantQuotas read_quotas(const Fields& fields, Refusal& refusal) {
  fields.refuse_unknown(kQuotaFields);
  TenantQuotas out;
  out.tenant = fields.required_text("quotas");
  if (!base::is_tenant_id(out.tenant)) refusal.invalid("quotas", "must be 1 to 64 of A-Z a-z 0-9 . _ -");
  out.quotas.concurrent = read_count(fields, "concurrent", kMaxConcurrent, refusal);
  out.quotas.per_minute = read_count(fields, "per_minute", kMaxPerMinute, refusal);
  if (const boost::json::object* limits = fields.optional_object("limits")) {
    read_ceilings(*limits, out.quotas, refusal);
  }
  return out;
}

void write_ceilings(wire::JsonWriter& writer, const Quotas& quotas) {
  writer.key("limits").begin_object();
  for (std::size_t i = 0; i < model::kLimitFields.size(); ++i) {
    if (quotas.ceilings.at(i) <= 0) continue;
    const model::LimitField& field = model::kLimitFields.at(i);
    model::Limits limits;
    field.set(limits, quotas.ceilings.at(i));
    wire::write_limit(writer, field, limits);
  }
  writer.end_object();
}

}  // namespace

std::expected<Line, std::string> parse_line(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos || line[first] == '#') return Line{};
  const auto object = wire::parse_object(line, "a line");
  if (!object) return std::unexpected(object.error().message);
  Refusal refusal;
  const Fields fields(*object, "", refusal);
  Line out;
  if (fields.find("quotas") != nullptr) {
    out = read_quotas(fields, refusal);
  } else {
    out = read_token(fields, refusal);
  }
  if (refusal) return std::unexpected(refusal.error().message);
  return out;
}

std::string line_of(const Token& token) {
  wire::JsonWriter writer;
  writer.begin_object().key("token").text(token.id).key("tenant").text(token.tenant);
  writer.key("sha256").text(token.sha256).key("created").text(wire::time_text(token.created));
  if (token.expires) writer.key("expires").text(wire::time_text(*token.expires));
  if (token.revoked) writer.key("revoked").text(wire::time_text(*token.revoked));
  if (!token.note.empty()) writer.key("note").text(token.note);
  return writer.end_object().take();
}

std::string line_of(const TenantQuotas& of) {
  wire::JsonWriter writer;
  writer.begin_object().key("quotas").text(of.tenant);
  if (of.quotas.concurrent > 0) writer.key("concurrent").number(of.quotas.concurrent);
  if (of.quotas.per_minute > 0) writer.key("per_minute").number(of.quotas.per_minute);
  if (has_ceilings(of.quotas)) write_ceilings(writer, of.quotas);
  return writer.end_object().take();
}

}  // namespace outrigger::tenants
