#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <cmath>
#include <cstdint>

#include "base/base64.h"
#include "wire/fields.h"
#include "wire/json_tree.h"
#include "wire/limits_json.h"
#include "wire/outcome_json.h"

namespace outrigger::wire {
namespace {

namespace json = boost::json;

// An answer is read tolerantly where it has more than this client knows, strictly where it has something else.
class OutcomeReader {
 public:
  OutcomeReader(const json::object& body, model::OutputEncoding encoding)
      : fields_(body, "", refusal_), encoding_(encoding) {}

  base::Result<model::Outcome> read() {
    model::Outcome out;
    out.job_id = fields_.required_text("job_id");
    out.tenant_id = fields_.required_text("tenant_id");
    out.language = fields_.required_text("language");
    out.status = read_status();
    if (fields_.find("exit_code") != nullptr) out.exit_code = static_cast<int>(count(fields_, "exit_code").value_or(0));
    if (fields_.find("signal") != nullptr) out.signal = std::string(fields_.optional_text("signal"));
    out.stdout_stream = read_stream("stdout");
    out.stderr_stream = read_stream("stderr");
    out.wall_time = time("wall_time_ms").value_or(std::chrono::microseconds{0});
    out.queue_time = time("queue_time_ms").value_or(std::chrono::microseconds{0});
    read_usage(out.usage);
    read_cause(out.cause);
    read_events(out.security_events);
    read_limits_in_force(out.limits);
    if (refusal_) return base::failure(base::Code::kInvalid, "parse_outcome", refusal_.error().message);
    return out;
  }

 private:
  std::optional<double> number(const Fields& fields, std::string_view name) {
    const json::value* value = fields.find(name);
    if (value == nullptr) return std::nullopt;
    json::error_code ec;
    const double out = value->to_number<double>(ec);
    if (!ec && std::isfinite(out)) return out;
    refusal_.invalid(fields.path(name), "must be a number");
    return std::nullopt;
  }

  std::optional<std::uint64_t> count(const Fields& fields, std::string_view name) {
    const auto value = number(fields, name);
    if (!value) return std::nullopt;
    if (*value >= 0 && *value < 0x1p63 && std::trunc(*value) == *value) return static_cast<std::uint64_t>(*value);
    refusal_.invalid(fields.path(name), "must be a whole number, not negative");
    return std::nullopt;
  }

  std::optional<std::chrono::microseconds> time(std::string_view name) {
    const auto millis = number(fields_, name);
    if (!millis || std::abs(*millis) > 1e12) return std::nullopt;
    return std::chrono::microseconds{std::llround(*millis * 1000)};
  }

  model::Status read_status() {
    using enum model::Status;
    static constexpr std::array kAll{kCompleted,         kFailed,   kTimeout,   kCpuExceeded,  kMemoryExceeded,
                                     kSecurityViolation, kSignaled, kCancelled, kInternalError};
    const std::string_view name = fields_.required_text("status");
    const auto* found = std::ranges::find(kAll, name, model::status_name);
    if (found != kAll.end()) return *found;
    refusal_.invalid("status", "is not one this client knows");
    return kInternalError;
  }

  model::CapturedStream read_stream(const std::string& name) {
    model::CapturedStream out;
    const std::string_view text = fields_.required_text(name);
    out.data = text;
    if (encoding_ == model::OutputEncoding::kBase64) {
      auto bytes = base::base64_decode(text);
      if (!bytes) refusal_.invalid(name, "must be base64");
      out.data = std::move(bytes).value_or("");
    }
    out.bytes = count(fields_, name + "_bytes").value_or(0);
    out.truncated = fields_.required_boolean(name + "_truncated");
    return out;
  }

  void read_usage(model::Usage& usage) {
    usage.cpu_time = time("cpu_time_ms");
    usage.throttled_time = time("throttled_time_ms");
    usage.peak_memory_bytes = count(fields_, "peak_memory_bytes");
    usage.oom_kills = count(fields_, "oom_kills");
  }

  void read_cause(model::Cause& cause) {
    const json::object* object = fields_.optional_object("cause");
    if (object == nullptr) return refusal_.invalid("cause", "is required");
    const Fields fields(*object, "cause", refusal_);
    cause.code = fields.required_text("code");
    cause.text = fields.required_text("text");
  }

  void read_events(std::vector<model::SecurityEvent>& events) {
    const json::array* array = fields_.optional_array("security_events");
    if (array == nullptr) return;
    for (const json::value& each : *array) {
      if (!each.is_object()) return refusal_.invalid("security_events", "must hold objects");
      const Fields fields(each.get_object(), "security_events", refusal_);
      model::SecurityEvent event{std::string(fields.required_text("type")),
                                 std::string(fields.required_text("detail")),
                                 count(fields, "count").value_or(1),
                                 std::string(fields.optional_text("syscall")),
                                 {}};
      if (const json::array* args = fields.optional_array("args")) {
        for (const json::value& arg : *args) {
          if (arg.is_string()) event.args.emplace_back(arg.get_string().data(), arg.get_string().size());
        }
      }
      events.push_back(std::move(event));
    }
  }

  void read_limits_in_force(model::Limits& limits) {
    const json::object* object = fields_.optional_object("limits");
    if (object == nullptr) return;
    const Fields fields(*object, "limits", refusal_);
    for (const model::LimitField& field : model::kLimitFields) {
      const auto value = number(fields, field.name);
      if (value && *value >= field.minimum && *value <= field.maximum) field.set(limits, *value);
    }
  }

  Refusal refusal_;
  Fields fields_;
  model::OutputEncoding encoding_;
};

}  // namespace

base::Result<model::Outcome> parse_outcome(std::string_view text, model::OutputEncoding encoding) {
  const auto tree = parse_tree(text);
  if (!tree) return base::failure(base::Code::kInvalid, "parse_outcome", tree.error().message);
  if (!tree->is_object()) return base::failure(base::Code::kInvalid, "parse_outcome", "not a JSON object");
  return OutcomeReader(tree->get_object(), encoding).read();
}

}  // namespace outrigger::wire
