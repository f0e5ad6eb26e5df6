#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/options.h"

namespace outrigger::cli {

// What the verbs below `token` are told.
struct TokenVerbs {
  TokenCreateOptions create;
  TokenListOptions list;
  TokenRevokeOptions revoke;
  TokenQuotaOptions quota;
};

// Adds token create, list, revoke and quota; `told` outlives the parsing. `add_places` adds the options that say where
// files are.
void add_token_verbs(CLI::App& app, TokenVerbs& told,
                     const std::function<void(CLI::App&, config::PathOptions&)>& add_places);

// Of the verbs below `token`, the one that was asked for.
Command token_command(const CLI::App& token, const TokenVerbs& told);

}  // namespace outrigger::cli
