#include "judge0/verdict.h"

#include <algorithm>
#include <csignal>

#include "judge0/config.h"
#include "wire/json_writer.h"

namespace outrigger::judge0 {
namespace {

constexpr int kSignalBase = 128;                              // exit_code of what a signal ended, as shells count
constexpr std::string_view kSpaceAndNul{" \t\r\n\f\v\0", 7};  // what Ruby's rstrip takes

std::string_view without_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kSpaceAndNul);
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::string stripped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += without_end(text.substr(0, end));
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::string(without_end(out));
}

std::string seconds(std::chrono::microseconds time) { return decimal_text(static_cast<double>(time.count()) / 1e6); }

std::optional<std::string> unless_empty(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

int status_of_signal(int signal) {
  switch (signal) {
    case SIGSEGV: return kSegmentationFault;
    case SIGXFSZ: return kFileSize;
    case SIGFPE: return kArithmetic;
    case SIGABRT: return kAbort;
    default: return kOtherSignal;
  }
}

// The messages are isolate's, which Judge0 hands on.
void add_ending(Verdict& verdict, const model::Outcome& outcome, const Kept& kept) {
  const int code = outcome.exit_code.value_or(0);
  switch (outcome.status) {
    case model::Status::kCompleted: {
      const bool right = !kept.expected_output || same_answer(*kept.expected_output, verdict.stdout_data.value_or(""));
      verdict.status = right ? kAccepted : kWrongAnswer;
      verdict.exit_code = 0;
      break;
    }
    case model::Status::kFailed:
      verdict.status = kNonZeroExit;
      verdict.exit_code = code;
      verdict.message = "Exited with error status " + std::to_string(code);
      break;
    case model::Status::kTimeout:
      verdict.status = kTimeLimit;
      verdict.message = "Time limit exceeded (wall clock)";
      break;
    case model::Status::kCpuExceeded:
      verdict.status = kTimeLimit;
      verdict.message = "Time limit exceeded";
      break;
    case model::Status::kSignaled:
    case model::Status::kMemoryExceeded:
    case model::Status::kSecurityViolation:
    case model::Status::kCancelled:
      verdict.exit_signal = code - kSignalBase;
      verdict.status = status_of_signal(*verdict.exit_signal);
      verdict.message = "Caught fatal signal " + std::to_string(*verdict.exit_signal);
      if (outcome.status != model::Status::kSignaled) *verdict.message += ": " + outcome.cause.text;
      break;
    case model::Status::kInternalError:
    case model::Status::kInterrupted:
      verdict.status = kInternalError;
      verdict.message = outcome.cause.text;
      break;
  }
}

}  // namespace

bool same_answer(std::string_view expected, std::string_view given) { return stripped(expected) == stripped(given); }

std::string statuses_json() {
  wire::JsonWriter writer;
  writer.begin_array();
  for (std::size_t i = 0; i < kStatuses.size(); ++i) {
    writer.begin_object().key("id").number(i + 1).key("description").text(kStatuses.at(i)).end_object();
  }
  return writer.end_array().take();
}

Verdict internal_error(std::string message) {
  Verdict verdict;
  verdict.status = kInternalError;
  verdict.message = std::move(message);
  return verdict;
}

Verdict verdict_of(const model::Outcome& outcome, const Kept& kept) {
  Verdict verdict;
  if (outcome.compile) {
    verdict.compile_output = unless_empty(outcome.compile->stdout_stream.data + outcome.compile->stderr_stream.data);
    // What Outrigger failed in, and who was cancelled, is told as ever.
    if (outcome.cause.code == "compile") {
      verdict.status = kCompilationError;
      if (outcome.status == model::Status::kTimeout || outcome.status == model::Status::kCpuExceeded) {
        verdict.compile_output = "Compilation time limit exceeded.";
      }
      verdict.finished_at = kept.created_at + outcome.queue_time + outcome.wall_time;
      return verdict;
    }
  }
  verdict.stdout_data = unless_empty(outcome.stdout_stream.data);
  verdict.stderr_data = unless_empty(outcome.stderr_stream.data);
  if (outcome.usage.cpu_time) verdict.time = seconds(*outcome.usage.cpu_time);
  verdict.wall_time = seconds(outcome.wall_time);
  if (outcome.usage.peak_memory_bytes) verdict.memory = *outcome.usage.peak_memory_bytes >> 10U;
  verdict.finished_at = kept.created_at + outcome.queue_time + outcome.wall_time;
  add_ending(verdict, outcome, kept);
  return verdict;
}

}  // namespace outrigger::judge0
