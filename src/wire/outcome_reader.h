#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/outcome.h"
#include "wire/fields.h"

namespace outrigger::wire {

// Reads what our own programs have written of an outcome: tolerant where there is more than this one knows, strict
// where there is something else. `fields` and `refusal` outlive it.
class OutcomeReader {
 public:
  OutcomeReader(const Fields& fields, Refusal& refusal) : fields_(fields), refusal_(refusal) {}

  // Nothing where the member is absent, null, or of a refused form.
  [[nodiscard]] std::optional<double> number(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> count(std::string_view name) const;
  // At most `most`.
  [[nodiscard]] std::optional<std::uint64_t> count(std::string_view name, std::uint64_t most) const;
  // Of milliseconds, and of a counter of microseconds; of any span that a machine can have run.
  [[nodiscard]] std::optional<std::chrono::microseconds> time(std::string_view name) const;
  [[nodiscard]] std::optional<std::chrono::microseconds> microseconds(std::string_view name) const;
  // A moment in RFC 3339, which must be there. Not before 1970, so that any two are less apart than a duration can say.
  [[nodiscard]] std::chrono::system_clock::time_point moment(std::string_view name) const;

  // status, exit_code, signal and cause, of an outcome or of a part that has these.
  template <typename Ended>
  void read_ending(Ended& out) const {
    out.status = status();
    if (const auto code = count("exit_code", kMaxExitCode)) out.exit_code = static_cast<int>(*code);
    if (const auto signal = fields_.optional_text("signal"); !signal.empty()) out.signal = std::string(signal);
    out.cause = cause();
  }
  // tenant_id, language, status, exit_code, signal, times, usage, cause, security_events, limits.
  void read_common(model::Outcome& out) const;
  // nr_periods, nr_throttled, memory_max_events, pids_peak, pids_limit_hits: in records and summaries, not in answers.
  void read_counts(model::Usage& usage) const;

 private:
  static constexpr std::uint64_t kMaxExitCode = 255;

  [[nodiscard]] model::Status status() const;
  [[nodiscard]] model::Cause cause() const;

  const Fields& fields_;
  Refusal& refusal_;
};

// Two of its members by themselves. An element that is no event, a limit that is no number: refused.
void read_security_events(const boost::json::array& array, Refusal& refusal, std::vector<model::SecurityEvent>& events);
void read_known_limits(const boost::json::object& object, Refusal& refusal, model::Limits& limits);

}  // namespace outrigger::wire
