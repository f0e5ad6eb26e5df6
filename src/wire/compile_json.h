#pragma once

#include <optional>

#include "model/job.h"
#include "model/outcome.h"
#include "wire/fields.h"
#include "wire/json_writer.h"

namespace outrigger::wire {

// The value of an answer's `compile`: null where there was no such step.
void write_compile(JsonWriter& writer, const std::optional<model::CompileReport>& report,
                   model::OutputEncoding encoding);

// The reverse, for clients: the member of `fields`, absent where that is null.
std::optional<model::CompileReport> read_compile(const Fields& fields, model::OutputEncoding encoding,
                                                 Refusal& refusal);

}  // namespace outrigger::wire
