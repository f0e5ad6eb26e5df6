#include "cli/token_verbs.h"

#include <algorithm>
#include <cmath>

#include "cli/help_text.h"
#include "cli/quantity.h"
#include "tenants/quotas.h"

namespace outrigger::cli {
namespace {

constexpr std::string_view kNone = "none";

void add_count(CLI::App& verb, const char* flag, std::uint32_t most, std::optional<std::uint32_t>& into,
               const char* text) {
  const auto store = [&into, flag, most](const std::string& value) {
    const auto number = value == kNone ? 0.0 : parse_number(value).value_or(0.5);
    if (number > most || std::trunc(number) != number || (number == 0 && value != kNone)) {
      throw CLI::ValidationError(
          flag, "must be an integer from 1 to " + std::to_string(most) + ", or none, not \"" + value + "\"");
    }
    into = static_cast<std::uint32_t>(number);
  };
  verb.add_option_function<std::string>(flag, store, text)->type_name("NUMBER")->group("Quotas of the tenant");
}

std::pair<const model::LimitField*, double> limit_of(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const auto* field =
      std::ranges::find(model::kLimitFields, std::string_view(text).substr(0, equals), &model::LimitField::name);
  if (field == model::kLimitFields.end() || equals == text.size()) {
    throw CLI::ValidationError(
        "--limit", "must be NAME=VALUE with the name of a limit such as wall_time_ms, not \"" + text + "\"");
  }
  const std::string value = text.substr(equals + 1);
  if (value == kNone) return {field, 0};
  const auto number = field->name.ends_with("_bytes") ? parse_bytes(value) : parse_number(value);
  const bool fits = number && *number >= field->minimum && *number <= field->maximum &&
                    (!field->whole || std::trunc(*number) == *number);
  if (!fits) throw CLI::ValidationError("--limit", "\"" + value + "\" is no value for " + std::string(field->name));
  return {field, *number};
}

void add_quotas(CLI::App& verb, QuotaChange& change) {
  add_count(verb, "--concurrent", tenants::kMaxConcurrent, change.concurrent, "Jobs that may run at a time");
  add_count(verb, "--per-minute", tenants::kMaxPerMinute, change.per_minute, "Jobs a minute");
  const auto store = [&change](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) change.limits.push_back(limit_of(text));
  };
  verb.add_option_function<std::vector<std::string>>("--limit", store,
                                                     "Ceiling of a limit, as wall_time_ms=2000; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group("Quotas of the tenant");
}

void add_create(CLI::App& verb, TokenCreateOptions& told) {
  verb.add_option("--tenant", told.tenant, "Whose it is; \"*\": an operator's")->type_name("NAME")->required();
  const auto lifetime = [&told](const std::string& text) {
    told.lifetime = parse_lifetime(text);
    if (!told.lifetime) throw CLI::ValidationError("--expires", "must be as 30d, 12h or 90m, not \"" + text + "\"");
  };
  verb.add_option_function<std::string>("--expires", lifetime, "How long it is good, as 30d; default: until revoked")
      ->type_name("TIME");
  verb.add_option("--note", told.note, "Your own words, shown in the list")->type_name("TEXT");
  add_quotas(verb, told.quotas);
}

}  // namespace

void add_token_verbs(CLI::App& app, TokenVerbs& told,
                     const std::function<void(CLI::App&, config::PathOptions&)>& add_places) {
  CLI::App& token = *app.add_subcommand("token", kTokenAbout)->footer(kTokenFooter);
  token.require_subcommand(1);
  const auto add = [&](const char* name, const char* about, const char* footer, TokensOptions& options) -> CLI::App& {
    CLI::App& verb = *token.add_subcommand(name, about)->footer(footer);
    verb.add_flag("--json", options.json, "Print one JSON document");
    add_places(verb, options.paths);
    return verb;
  };
  add_create(add("create", kTokenCreateAbout, kTokenCreateFooter, told.create), told.create);
  add("list", kTokenListAbout, kTokenListFooter, told.list);
  add("revoke", kTokenRevokeAbout, kTokenRevokeFooter, told.revoke)
      .add_option("ID", told.revoke.id, "As `outrigger token list` shows it")
      ->required();
  CLI::App& quota = add("quota", kTokenQuotaAbout, kTokenQuotaFooter, told.quota);
  quota.add_option("TENANT", told.quota.tenant, "Whose")->required();
  add_quotas(quota, told.quota.change);
}

Command token_command(const CLI::App& token, const TokenVerbs& told) {
  const std::string name = token.get_subcommands().front()->get_name();
  if (name == "create") return told.create;
  if (name == "list") return told.list;
  if (name == "revoke") return told.revoke;
  return told.quota;
}

}  // namespace outrigger::cli
