#pragma once

#include <boost/json/array.hpp>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"

namespace outrigger::piston {

// A request's files, decoded.
struct Files {
  std::string code;       // of the first text file: what is run
  std::size_t main = 0;   // its place in the request
  std::string main_name;  // and its name, settled
  std::vector<model::InputFile> others;
};

// Whether Piston would run one of these: a file whose encoding is utf8 or not given.
bool has_text_file(const boost::json::array& files);

// Requires has_text_file(), and that each is an object whose content is a string. Of two files of one name the later
// holds. No file but the one that is run may be named `source_file`, which that one is laid as. The error is a
// sentence.
std::expected<Files, std::string> read_files(const boost::json::array& files, std::string_view source_file);

}  // namespace outrigger::piston
