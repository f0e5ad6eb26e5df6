#pragma once

#include <string>

#include "roster/roster.h"
#include "rules/finding.h"
#include "rules/sight.h"
#include "wire/termination.h"

namespace outrigger::witness {

// What the execution ledger says of one run, as JSON members (docs/crows-nest.md lists them).
std::string execution_members(const wire::Termination& summary, const roster::Death& death);

// What the incident ledger says of one finding. `subject`: the job it is about; null where it is about none.
std::string incident_members(const rules::Subject* subject, const rules::Finding& finding);

}  // namespace outrigger::witness
