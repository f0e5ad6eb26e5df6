#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "crows_nest/verbs.h"

int main(int argc, char** argv) {
  namespace nest = outrigger::crows_nest;
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    const auto command = nest::parse_command_line(words);
    if (command) return std::visit([](const auto& options) { return nest::run(options); }, *command);
    static_cast<void>(std::fputs(command.error().err.c_str(), stderr));
    return nest::print(command.error().out, command.error().status);
  } catch (const std::exception& error) {
    static_cast<void>(std::fprintf(stderr, "crows-nest: a fault of its own: %s\n", error.what()));
    return nest::kCannotAudit;
  }
}
