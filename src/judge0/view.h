#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "judge0/kept.h"
#include "judge0/verdict.h"

namespace outrigger::judge0 {

// Which attributes are asked for, and in what form.
struct View {
  std::vector<std::string_view> fields;  // in Judge0's order
  bool base64_encoded = false;
};

// The query's `fields`: names with commas between, "*" for all, empty for Judge0's eight. The error is a sentence in
// Judge0's words.
std::expected<View, std::string> read_view(std::string_view fields, bool base64_encoded);

// A submission's name for its clients: a job's id written as a UUID, which Judge0's tokens are.
std::string token_of(std::string_view job_id);
// The reverse; what is no token comes back as it is.
std::string job_id_of(std::string_view token);

// {"token": …, "status": {…}, …}. The error, in Judge0's words, where an attribute is no text and not to be written as
// base64.
std::expected<std::string, std::string> submission_json(std::string_view token, const Kept& kept,
                                                        const Verdict& verdict, const View& view);

}  // namespace outrigger::judge0
