#pragma once

#include <expected>
#include <string>

#include "cli/options.h"

namespace outrigger::cli {

// All that a run needs, read from files and stdin.
struct Program {
  std::string language;
  std::string code;
  std::string stdin_data;
  std::vector<model::InputFile> files;
};

// Reads the program, its files and, unless that is a terminal or the program itself, stdin (at most 4 MiB). The error
// is a sentence for people.
std::expected<Program, std::string> read_program(const RunOptions& options);

// Why a daemon can't be given this program: JSON carries text only, and the API has no other form for code and stdin.
// Empty where it can.
std::string not_text(const Program& program);

// The body of POST /api/v1/execute. Only limits that were asked for are in it: the others are the server's to choose.
std::string request_body(const RunOptions& options, const Program& program, model::OutputEncoding encoding);

}  // namespace outrigger::cli
