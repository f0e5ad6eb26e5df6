#include "wire/outcome_parts.h"

namespace outrigger::wire {

void write_cause(JsonWriter& writer, const model::Cause& cause) {
  writer.key("cause").begin_object();
  writer.key("code").text(cause.code);
  writer.key("text").text(cause.text);
  writer.end_object();
}

void write_security_events(JsonWriter& writer, const std::vector<model::SecurityEvent>& events) {
  write_security_event_list(writer.key("security_events"), events);
}

void write_security_event_list(JsonWriter& writer, const std::vector<model::SecurityEvent>& events) {
  writer.begin_array();
  for (const model::SecurityEvent& event : events) {
    writer.begin_object();
    writer.key("type").text(event.type);
    writer.key("detail").text(event.detail);
    writer.key("count").number(event.count);
    if (!event.syscall.empty()) {
      writer.key("syscall").text(event.syscall);
      writer.key("args").begin_array();
      for (const std::string& arg : event.args) writer.text(arg);
      writer.end_array();
    }
    writer.end_object();
  }
  writer.end_array();
}

void write_milliseconds(JsonWriter& writer, std::string_view name,
                        const std::optional<std::chrono::microseconds>& time) {
  writer.key(name);
  if (time) {
    writer.milliseconds(*time);
  } else {
    writer.null();
  }
}

void write_microseconds(JsonWriter& writer, std::string_view name,
                        const std::optional<std::chrono::microseconds>& time) {
  writer.key(name);
  if (time && time->count() >= 0) {
    writer.number(static_cast<std::uint64_t>(time->count()));
  } else {
    writer.null();
  }
}

void write_ending(JsonWriter& writer, const std::optional<int>& exit_code, const std::optional<std::string>& signal) {
  writer.key("exit_code");
  if (exit_code) {
    writer.signed_number(*exit_code);
  } else {
    writer.null();
  }
  writer.key("signal").text_or_null(signal.value_or(""));
}

void write_oom_triggered(JsonWriter& writer, const model::Usage& usage) {
  writer.key("cgroup_oom_triggered");
  if (usage.oom_kills) {
    writer.boolean(*usage.oom_kills > 0);
  } else {
    writer.null();
  }
}

}  // namespace outrigger::wire
