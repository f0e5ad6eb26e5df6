#include "cli/print.h"
#include "cli/table.h"
#include "cli/tokens_place.h"
#include "cli/verbs.h"
#include "wire/time_text.h"

namespace outrigger::cli {
namespace {

using std::chrono::system_clock;

std::string state_of(const tenants::Token& token, system_clock::time_point now) {
  if (token.revoked) return "revoked";
  return token.is_valid_at(now) ? "valid" : "expired";
}

std::string time_or_empty(const std::optional<system_clock::time_point>& time) {
  return time ? wire::time_text(*time) : std::string();
}

std::string minute_of(const std::optional<system_clock::time_point>& time) {
  return time ? wire::time_text(*time).substr(0, 16) + "Z" : "-";
}

std::string as_json(const tenants::TokenList& list, system_clock::time_point now) {
  wire::JsonWriter writer;
  writer.begin_object().key("tokens").begin_array();
  for (const tenants::Token& token : list.tokens) {
    writer.begin_object().key("id").text(token.id).key("tenant").text(token.tenant);
    writer.key("state").text(state_of(token, now)).key("created").text(wire::time_text(token.created));
    writer.key("expires").text_or_null(time_or_empty(token.expires));
    writer.key("revoked").text_or_null(time_or_empty(token.revoked));
    writer.key("note").text_or_null(token.note).end_object();
  }
  writer.end_array().key("quotas").begin_array();
  for (const auto& [tenant, quotas] : list.quotas) {
    writer.begin_object().key("tenant").text(tenant);
    write_quotas(writer, quotas);
    writer.end_object();
  }
  return writer.end_array().end_object().take();
}

// What an operator wrote into a note must not end a line of the table.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return text;
}

std::string as_table(const tenants::TokenList& list, system_clock::time_point now) {
  std::vector<std::vector<std::string>> rows{{"ID", "TENANT", "STATE", "CREATED", "EXPIRES", "NOTE"}};
  for (const tenants::Token& token : list.tokens) {
    rows.push_back({token.id, token.tenant, state_of(token, now), minute_of(token.created), minute_of(token.expires),
                    one_line(token.note)});
  }
  std::string text = table(rows);
  if (list.quotas.empty()) return text;
  std::vector<std::vector<std::string>> quotas{{"TENANT", "QUOTAS"}};
  for (const auto& [tenant, of] : list.quotas) quotas.push_back({tenant, quotas_text(of)});
  return text + "\n\n" + table(quotas);
}

}  // namespace

int perform(const TokenListOptions& options) {
  const auto path = tokens_path(options);
  if (!path) return fail(path.error(), options.json);
  const auto list = tenants::read_tokens(*path);
  if (!list) return fail(tokens_error(list.error()), options.json);
  const auto now = system_clock::now();
  if (options.json) return print_line(as_json(*list, now));
  if (list->tokens.empty() && list->quotas.empty()) {
    complain(path->string() + " holds no token; make one with `outrigger token create`");
    return 0;
  }
  return print_line(as_table(*list, now));
}

}  // namespace outrigger::cli
