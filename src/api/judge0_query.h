#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "judge0/view.h"

namespace outrigger::api {

// What a query says to Judge0's routes. Parameters that those do not know are passed over, as Judge0 does.
struct Judge0Query {
  judge0::View view;
  bool wait = false;
  std::string tokens;
};

// The error is a sentence in Judge0's words.
std::expected<Judge0Query, std::string> read_judge0_query(std::string_view query);

// What is wrong with a batch of so many, or nothing.
std::string batch_fault(std::size_t count);
// "a,b" apart, each without spaces around it.
std::vector<std::string> split_tokens(std::string_view tokens);
// submission_json()'s error, as a batch tells it.
std::string of_one_or_more(std::string message);

}  // namespace outrigger::api
