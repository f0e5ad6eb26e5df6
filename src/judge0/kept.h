#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outrigger::judge0 {

// What Judge0 keeps of a submission and our queue does not: it goes with the job, as its annotation.
struct Kept {
  std::string tenant_id;
  std::chrono::system_clock::time_point created_at;
  int language_id = 0;
  std::string language_name;
  std::string source_code;
  bool has_stdin = false;
  std::string stdin_data;
  std::optional<std::string> expected_output;
  std::string additional_files;                               // the archive; empty: none
  std::vector<std::pair<std::string, std::string>> settings;  // numbers, as they are told
  std::string command_line_arguments;                         // empty: none
  std::string callback_url;
  bool redirect_stderr_to_stdout = false;
};

// stdin and additional_files beyond this are not kept, for they would lie in the queue once more, and in the result.
inline constexpr std::size_t kMaxKept = 256U << 10;

std::string kept_json(const Kept& kept);
// Nothing where the text is none of these: the job was not queued through this API.
std::optional<Kept> parse_kept(std::string_view annotation);

}  // namespace outrigger::judge0
