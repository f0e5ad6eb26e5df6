#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/text_pieces.h"
#include "model/job.h"
#include "model/outcome.h"
#include "run/attendance.h"

namespace outrigger::api {

// "stdout" or "stderr".
std::string_view name_of(run::Stream stream);

// A job's output on its way to somebody who takes it when he can: what has not been taken waits here, which is at most
// what the two streams may hold, and comes as one piece a stream. No character is split over two pieces.
class OutputPieces {
 public:
  explicit OutputPieces(model::OutputEncoding encoding) : encoding_(encoding) {}

  void wrote(run::Stream stream, std::string_view bytes);
  // No more will come.
  void end(const model::Outcome& outcome);

  [[nodiscard]] bool empty() const { return stdout_.told.empty() && stderr_.told.empty(); }
  // Gives `each` what there is, in the encoding; of two streams the one that was written first comes first.
  void settle(const std::function<void(run::Stream, const std::string&)>& each);

 private:
  struct Output {
    TextPieces text;
    std::string told;  // text, or raw bytes for base64
  };
  void settle_one(run::Stream stream, const std::function<void(run::Stream, const std::string&)>& each);

  model::OutputEncoding encoding_;
  Output stdout_;
  Output stderr_;
  bool stderr_first_ = false;
};

}  // namespace outrigger::api
