#pragma once

#include "model/limit_fields.h"
#include "model/limits.h"
#include "wire/json_writer.h"

namespace outrigger::wire {

// "pids":32
void write_limit(JsonWriter& writer, const model::LimitField& field, const model::Limits& limits);

// {"wall_time_ms":5000,…}: all limits, by the names requests use.
void write_limits(JsonWriter& writer, const model::Limits& limits);

}  // namespace outrigger::wire
