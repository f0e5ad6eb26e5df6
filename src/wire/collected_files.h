#pragma once

#include <boost/json/array.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/outcome.h"
#include "wire/fields.h"
#include "wire/json_writer.h"

namespace outrigger::wire {

// "0644"
std::string mode_text(std::uint32_t mode);

// The value of an answer's `files`. A content goes as text where `encoding` does not ask for base64, and it is UTF-8
// without control characters but tabs and line ends.
void write_collected_files(JsonWriter& writer, const std::vector<model::CollectedFile>& files,
                           model::OutputEncoding encoding);

// The reverse, for clients. An element that is no such file: refused.
std::vector<model::CollectedFile> read_collected_files(const boost::json::array& array, Refusal& refusal);

}  // namespace outrigger::wire
