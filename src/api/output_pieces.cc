#include "api/output_pieces.h"

#include <utility>

#include "base/base64.h"

namespace outrigger::api {

std::string_view name_of(run::Stream stream) { return stream == run::Stream::kStdout ? "stdout" : "stderr"; }

void OutputPieces::wrote(run::Stream stream, std::string_view bytes) {
  Output& output = stream == run::Stream::kStdout ? stdout_ : stderr_;
  if (empty()) stderr_first_ = stream == run::Stream::kStderr;
  output.told += encoding_ == model::OutputEncoding::kBase64 ? std::string(bytes) : output.text.next(bytes);
}

void OutputPieces::end(const model::Outcome& outcome) {
  stdout_.told += stdout_.text.last(outcome.stdout_stream.truncated);
  stderr_.told += stderr_.text.last(outcome.stderr_stream.truncated);
}

void OutputPieces::settle(const std::function<void(run::Stream, const std::string&)>& each) {
  const run::Stream first = stderr_first_ ? run::Stream::kStderr : run::Stream::kStdout;
  settle_one(first, each);
  settle_one(stderr_first_ ? run::Stream::kStdout : run::Stream::kStderr, each);
}

void OutputPieces::settle_one(run::Stream stream, const std::function<void(run::Stream, const std::string&)>& each) {
  Output& output = stream == run::Stream::kStdout ? stdout_ : stderr_;
  if (output.told.empty()) return;
  const std::string told = std::exchange(output.told, {});
  each(stream, encoding_ == model::OutputEncoding::kBase64 ? base::base64_encode(told) : told);
}

}  // namespace outrigger::api
