#pragma once

#include <sys/types.h>

#include <expected>
#include <filesystem>

#include "cli/options.h"
#include "tenants/token_editor.h"
#include "wire/error_json.h"
#include "wire/json_writer.h"

namespace outrigger::cli {

// The tokens file that the configuration names.
std::expected<std::filesystem::path, wire::ErrorBody> tokens_path(const TokensOptions& options);
// The same, opened to be changed.
std::expected<tenants::TokenEditor, wire::ErrorBody> edit_tokens(const TokensOptions& options);

// An error of this file for people.
wire::ErrorBody tokens_error(const base::Error& error);

// The tenant's quotas with what is asked for; nothing else about them changes.
tenants::Quotas changed(tenants::Quotas quotas, const QuotaChange& change);

// {"concurrent": 4, "per_minute": null, "limits": {"wall_time_ms": 2000}}
void write_quotas(wire::JsonWriter& writer, const tenants::Quotas& quotas);
// "at most 4 jobs at a time, 60 a minute, wall_time_ms 2000"; "none" where there are none.
std::string quotas_text(const tenants::Quotas& quotas);

}  // namespace outrigger::cli
