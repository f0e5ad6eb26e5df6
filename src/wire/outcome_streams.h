#pragma once

#include <string>
#include <string_view>

#include "model/job.h"
#include "model/outcome.h"
#include "wire/fields.h"
#include "wire/json_writer.h"

namespace outrigger::wire {

// What is told of a stream. A character the cap has cut is our doing, not the guest's: it is dropped, not replaced.
std::string_view told(const model::CapturedStream& stream);

// stdout and stderr.
void write_outputs(JsonWriter& writer, const model::CapturedStream& out, const model::CapturedStream& err,
                   model::OutputEncoding encoding);
// What was counted of them, and whether they were cut.
void write_output_sizes(JsonWriter& writer, const model::CapturedStream& out, const model::CapturedStream& err);

// The reverse: a member's bytes; the members `name`_bytes and `name`_truncated; all three.
std::string read_output(const Fields& fields, const std::string& name, model::OutputEncoding encoding,
                        Refusal& refusal);
model::CapturedStream read_stream_counts(const Fields& fields, const std::string& name, Refusal& refusal);
model::CapturedStream read_stream(const Fields& fields, const std::string& name, model::OutputEncoding encoding,
                                  Refusal& refusal);

}  // namespace outrigger::wire
