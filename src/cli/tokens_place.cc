#include "cli/tokens_place.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "config/identity.h"
#include "config/load.h"
#include "config/tokens.h"
#include "wire/limits_text.h"

namespace outrigger::cli {
namespace {

std::expected<config::Config, wire::ErrorBody> load_config(const TokensOptions& options) {
  config::LoadOptions load;
  load.paths = options.paths;
  auto config = config::load(load);
  if (!config) return std::unexpected(wire::ErrorBody{"invalid_config", config.error().text(), ""});
  return std::move(*config);
}

void write_ceilings(wire::JsonWriter& writer, const tenants::Quotas& quotas) {
  writer.begin_object();
  for (std::size_t i = 0; i < model::kLimitFields.size(); ++i) {
    if (quotas.ceilings.at(i) <= 0) continue;
    model::Limits limits;
    model::kLimitFields.at(i).set(limits, quotas.ceilings.at(i));
    wire::write_limit(writer, model::kLimitFields.at(i), limits);
  }
  writer.end_object();
}

}  // namespace

wire::ErrorBody tokens_error(const base::Error& error) {
  const bool denied = error.errno_value == EACCES || error.errno_value == EPERM;
  return {"tokens_file", error.text() + (denied ? "; run this as root" : ""), ""};
}

std::expected<std::filesystem::path, wire::ErrorBody> tokens_path(const TokensOptions& options) {
  const auto config = load_config(options);
  if (!config) return std::unexpected(config.error());
  return config::tokens_file(*config);
}

std::expected<tenants::TokenEditor, wire::ErrorBody> edit_tokens(const TokensOptions& options) {
  const auto config = load_config(options);
  if (!config) return std::unexpected(config.error());
  const auto daemon = config::resolve_identity(*config);
  if (!daemon) return std::unexpected(wire::ErrorBody{"invalid_config", daemon.error().text(), ""});
  auto editor = tenants::TokenEditor::open(config::tokens_file(*config), daemon->gid);
  if (!editor) return std::unexpected(tokens_error(editor.error()));
  return std::move(*editor);
}

tenants::Quotas changed(tenants::Quotas quotas, const QuotaChange& change) {
  quotas.concurrent = change.concurrent.value_or(quotas.concurrent);
  quotas.per_minute = change.per_minute.value_or(quotas.per_minute);
  for (const auto& [field, value] : change.limits) {
    quotas.ceilings.at(static_cast<std::size_t>(field - model::kLimitFields.data())) = value;
  }
  return quotas;
}

void write_quotas(wire::JsonWriter& writer, const tenants::Quotas& quotas) {
  const auto number = [&writer](std::string_view name, std::uint32_t value) {
    writer.key(name);
    if (value == 0) {
      writer.null();
    } else {
      writer.number(value);
    }
  };
  number("concurrent", quotas.concurrent);
  number("per_minute", quotas.per_minute);
  write_ceilings(writer.key("limits"), quotas);
}

std::string quotas_text(const tenants::Quotas& quotas) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (quotas.concurrent > 0) add(std::to_string(quotas.concurrent) + " jobs at a time");
  if (quotas.per_minute > 0) add(std::to_string(quotas.per_minute) + " jobs a minute");
  for (std::size_t i = 0; i < model::kLimitFields.size(); ++i) {
    const double value = quotas.ceilings.at(i);
    if (value <= 0) continue;
    wire::JsonWriter number;
    if (model::kLimitFields.at(i).whole) {
      number.number(static_cast<std::uint64_t>(value));
    } else {
      number.real(value);
    }
    add(std::string(model::kLimitFields.at(i).name) + " up to " + number.take());
  }
  return text.empty() ? "none" : text;
}

}  // namespace outrigger::cli
