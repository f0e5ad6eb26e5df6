#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "judge0/kept.h"
#include "model/outcome.h"

namespace outrigger::judge0 {

// GET /statuses: their ids begin with 1.
inline constexpr std::array<std::string_view, 14> kStatuses{"In Queue",
                                                            "Processing",
                                                            "Accepted",
                                                            "Wrong Answer",
                                                            "Time Limit Exceeded",
                                                            "Compilation Error",
                                                            "Runtime Error (SIGSEGV)",
                                                            "Runtime Error (SIGXFSZ)",
                                                            "Runtime Error (SIGFPE)",
                                                            "Runtime Error (SIGABRT)",
                                                            "Runtime Error (NZEC)",
                                                            "Runtime Error (Other)",
                                                            "Internal Error",
                                                            "Exec Format Error"};
inline constexpr int kInQueue = 1;
inline constexpr int kProcessing = 2;
inline constexpr int kAccepted = 3;
inline constexpr int kWrongAnswer = 4;
inline constexpr int kTimeLimit = 5;
inline constexpr int kCompilationError = 6;
inline constexpr int kSegmentationFault = 7;
inline constexpr int kFileSize = 8;
inline constexpr int kArithmetic = 9;
inline constexpr int kAbort = 10;
inline constexpr int kNonZeroExit = 11;
inline constexpr int kOtherSignal = 12;
inline constexpr int kInternalError = 13;

std::string statuses_json();

// A submission as it stands. What is absent is null in JSON.
struct Verdict {
  int status = kInQueue;
  std::optional<std::string> stdout_data;
  std::optional<std::string> stderr_data;
  std::optional<std::string> compile_output;
  std::optional<std::string> message;
  std::optional<std::string> time;       // seconds, as text: "0.012"
  std::optional<std::string> wall_time;  // likewise
  std::optional<std::uint64_t> memory;   // kilobytes of 1024 bytes
  std::optional<int> exit_code;
  std::optional<int> exit_signal;
  std::optional<std::chrono::system_clock::time_point> finished_at;
};

Verdict verdict_of(const model::Outcome& outcome, const Kept& kept);
// Of a job that could not be run at all.
Verdict internal_error(std::string message);

// Judge0 compares what is left when the white space at each line's end, and at the whole text's, is taken away.
bool same_answer(std::string_view expected, std::string_view given);

}  // namespace outrigger::judge0
