#pragma once

#include <string>
#include <vector>

#include "ledger/appender.h"
#include "rules/finding.h"
#include "rules/sight.h"

// What the auditor finds beside what the rules find in jobs.
namespace outrigger::witness {

// What was found at a ledger's end when it was opened: nothing, where all was well.
std::vector<rules::Finding> findings_of(const std::string& ledger, const ledger::Opening& opening);

// A job's card is gone, and no summary has come.
rules::Finding summary_missing(const rules::Subject& subject);

// /proc does not show where processes are. Escapes are seen by that: who can't look must not be taken for one that sees
// none.
rules::Finding namespaces_hidden();

}  // namespace outrigger::witness
