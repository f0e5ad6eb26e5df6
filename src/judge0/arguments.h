#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace outrigger::judge0 {

// command_line_arguments as bash splits them where Judge0 puts them behind a command: at spaces, with quotes and
// backslashes heeded; the characters $ & ; < > | ` are dropped first, as Judge0 does. Patterns, braces and ~ stay as
// they are. A quote that is not closed reaches to the end.
std::vector<std::string> split_arguments(std::string_view text);

}  // namespace outrigger::judge0
