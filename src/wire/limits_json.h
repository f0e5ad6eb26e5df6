#pragma once

#include <boost/json/fwd.hpp>

#include "model/limit_fields.h"
#include "model/limits.h"
#include "wire/fields.h"

namespace outrigger::wire {

// A request's `limits`: absent and null mean the default. An integer may be written as 2000, 2000.0 or 2e3 (JSON knows
// only numbers; the value counts, not its spelling); anything else than a number within minimum and ceiling is refused.
model::Limits read_limits(const boost::json::object& object, const model::Limits& defaults,
                          const model::Limits& ceilings, Refusal& refusal);

// `limits`, none above what the object says of it; `where` is the object's place ("ceilings"). Values that are no
// number, or below what any job needs, are refused.
model::Limits read_lowered(const boost::json::object& object, const std::string& where, model::Limits limits,
                           Refusal& refusal);

// "must be an integer from 1 to 32"
std::string limit_rule(const model::LimitField& field, const model::Limits& ceilings);

}  // namespace outrigger::wire
