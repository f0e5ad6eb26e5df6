#include <unistd.h>

#include "cli/answer.h"
#include "cli/collected.h"
#include "cli/print.h"
#include "cli/verbs.h"

namespace outrigger::cli {
namespace {

void note_cut(const char* name, const model::CapturedStream& stream, std::uint64_t kept) {
  if (!stream.truncated) return;
  complain(std::string(name) + " was cut after " + std::to_string(kept) + " of " + std::to_string(stream.bytes) +
           " bytes");
}

void tell_compiler(const char* name, const model::CapturedStream& stream) {
  write_all(STDERR_FILENO, stream.data);
  note_cut(name, stream, stream.data.size());
}

// A compiler's words, where it was not content; what it says of a program that runs is nobody's output.
void tell_compiling(const model::Outcome& outcome) {
  if (!outcome.compile || !model::did_not_compile(outcome)) return;
  tell_compiler("the compiler's stdout", outcome.compile->stdout_stream);
  tell_compiler("the compiler's stderr", outcome.compile->stderr_stream);
}

bool pass_on(const Answer& answer, const std::string& output_dir) {
  const model::Outcome& outcome = answer.outcome;
  tell_compiling(outcome);
  const bool written = write_all(STDOUT_FILENO, outcome.stdout_stream.data);
  write_all(STDERR_FILENO, outcome.stderr_stream.data);
  const Told told = answer.told.value_or(Told{outcome.stdout_stream.data.size(), outcome.stderr_stream.data.size()});
  note_cut("stdout", outcome.stdout_stream, told.stdout_bytes);
  note_cut("stderr", outcome.stderr_stream, told.stderr_bytes);
  if (const std::string note = end_note(outcome); !note.empty()) complain(note);
  bool files_written = false;
  for (const std::string& complaint : write_collected(outcome.files, output_dir, files_written)) complain(complaint);
  return written && files_written;
}

// Who looks at a terminal wants to see what happens; who collects the output gets it in one piece.
bool is_streamed(const RunOptions& options) {
  if (options.json || options.streaming == Streaming::kNever) return false;
  return options.streaming == Streaming::kAlways || ::isatty(STDOUT_FILENO) == 1;
}

}  // namespace

int exit_status(const model::Outcome& outcome) {
  if (outcome.status == model::Status::kInternalError) return kExitFailed;
  return outcome.exit_code.value_or(kExitFailed);
}

std::string end_note(const model::Outcome& outcome) {
  const bool ended = outcome.status == model::Status::kCompleted || outcome.status == model::Status::kFailed;
  if (ended && !model::did_not_compile(outcome)) return {};
  return std::string(model::status_name(outcome.status)) + ": " + outcome.cause.text;
}

int perform(const RunOptions& options) {
  const auto program = read_program(options);
  if (!program) return fail({"invalid_request", program.error(), ""}, options.json);
  const auto encoding = options.json ? options.json_encoding : model::OutputEncoding::kBase64;
  const bool streamed = is_streamed(options);
  const Answered answer = options.local ? run_local(options, *program, encoding, streamed)
                                        : run_remote(options, *program, encoding, streamed);
  if (!answer) return fail(answer.error(), options.json);
  const bool written = options.json ? print_line(answer->json) == 0 : pass_on(*answer, options.output_dir);
  return written ? exit_status(answer->outcome) : kExitFailed;
}

}  // namespace outrigger::cli
