#pragma once

#include <string>

#include "base/error.h"
#include "crows_nest/options.h"

// One function a verb: what it gives is the program's exit status.
namespace outrigger::crows_nest {

int run(const AuditOptions& options);
int run(const WatchVerb& options);
int run(const LedgerVerifyOptions& options);
int run(const LinesOptions& options);
int run(const LedgerHeadOptions& options);
int run(const RulesOptions& options);
int run(const VersionOptions& options);

// Says on stderr why the verb could not do its work; kCannotAudit.
int cannot(const base::Error& error);
// The whole text to stdout; kCannotAudit where nobody takes it, else `status`.
int print(const std::string& text, int status = kHealthy);

}  // namespace outrigger::crows_nest
