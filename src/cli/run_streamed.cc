#include <optional>

#include "cli/answer.h"
#include "cli/event_reader.h"
#include "cli/live_output.h"
#include "cli/remote.h"
#include "wire/outcome_json.h"

namespace outrigger::cli {
namespace {

// What a stream has told so far.
class Following {
 public:
  explicit Following(model::OutputEncoding encoding) : encoding_(encoding) {}

  // False where nothing more is wanted.
  bool take(std::string_view piece) {
    for (const ServerEvent& event : reader_.push(piece)) {
      if (!take_event(event)) return false;
    }
    return true;
  }

  Answered answer(const std::string& server) {
    if (error_) return std::unexpected(std::move(*error_));
    if (outcome_) return Answer{{}, std::move(*outcome_), output_.told()};
    return std::unexpected(
        wire::ErrorBody{"bad_answer", "the stream from " + server + " ended before the program's result had come", ""});
  }

 private:
  bool take_event(const ServerEvent& event) {
    if (event.name == "stdout") return tell(run::Stream::kStdout, event.data);
    if (event.name == "stderr") return tell(run::Stream::kStderr, event.data);
    if (event.name == "error") {
      if (auto told = wire::parse_error(event.data)) return give_up(std::move(*told));
      return give_up({"bad_answer", "the daemon failed, and does not say how", ""});
    }
    if (event.name != "finished") return true;
    auto outcome = wire::parse_streamed_outcome(event.data, encoding_);
    if (!outcome) return give_up({"bad_answer", "the result is not understood: " + outcome.error().text(), ""});
    outcome_ = std::move(*outcome);
    return true;
  }

  bool tell(run::Stream stream, std::string_view data) {
    const auto bytes = wire::parse_output_event(data, encoding_);
    if (!bytes) return give_up({"bad_answer", "what was written is not understood: " + bytes.error().text(), ""});
    if (output_.write(stream, *bytes)) return true;
    return give_up({"output_failed", "stdout takes no more of the program's output, so that it was ended", ""});
  }

  bool give_up(wire::ErrorBody error) {
    error_ = std::move(error);
    return false;
  }

  model::OutputEncoding encoding_;
  EventReader reader_;
  LiveOutput output_;
  std::optional<model::Outcome> outcome_;
  std::optional<wire::ErrorBody> error_;
};

}  // namespace

Answered run_streamed(const RunOptions& options, const Program& program, model::OutputEncoding encoding) {
  Following following(encoding);
  http::Request request = execute_request(options, program, encoding);
  request.on_events = [&following](std::string_view piece) { return following.take(piece); };
  auto answer = ask(options.remote, std::move(request));
  if (!answer) return std::unexpected(answer.error());
  return answer->told ? following.answer(options.remote.server) : understood(*answer, options, encoding);
}

}  // namespace outrigger::cli
