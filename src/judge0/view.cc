#include "judge0/view.h"

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "base/utf8.h"
#include "wire/json_writer.h"

namespace outrigger::judge0 {
namespace {

// Judge0's columns, and the two that it makes of them.
constexpr std::array<std::string_view, 40> kAttributes{"source_code",
                                                       "language_id",
                                                       "stdin",
                                                       "expected_output",
                                                       "stdout",
                                                       "status_id",
                                                       "created_at",
                                                       "finished_at",
                                                       "time",
                                                       "memory",
                                                       "stderr",
                                                       "token",
                                                       "number_of_runs",
                                                       "cpu_time_limit",
                                                       "cpu_extra_time",
                                                       "wall_time_limit",
                                                       "memory_limit",
                                                       "stack_limit",
                                                       "max_processes_and_or_threads",
                                                       "enable_per_process_and_thread_time_limit",
                                                       "enable_per_process_and_thread_memory_limit",
                                                       "max_file_size",
                                                       "compile_output",
                                                       "exit_code",
                                                       "exit_signal",
                                                       "message",
                                                       "wall_time",
                                                       "compiler_options",
                                                       "command_line_arguments",
                                                       "redirect_stderr_to_stdout",
                                                       "callback_url",
                                                       "additional_files",
                                                       "enable_network",
                                                       "started_at",
                                                       "queued_at",
                                                       "updated_at",
                                                       "queue_host",
                                                       "execution_host",
                                                       "status",
                                                       "language"};
constexpr std::array<std::string_view, 8> kDefaults{"stdout", "time",           "memory",  "stderr",
                                                    "token",  "compile_output", "message", "status"};
constexpr std::array<std::string_view, 3> kDecimals{"cpu_time_limit", "cpu_extra_time", "wall_time_limit"};

constexpr std::size_t kDashedLength = 36;
constexpr std::array<std::size_t, 4> kDashes{8, 13, 18, 23};
constexpr std::size_t kLine = 60;  // of base64, as Ruby's pack("m") breaks it

std::string ruby_base64(std::string_view bytes) {
  const std::string text = base::base64_encode(bytes);
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += kLine) out += text.substr(at, kLine) + "\n";
  return out;
}

class Writer {
 public:
  Writer(std::string_view token, const Kept& kept, const Verdict& verdict, const View& view)
      : token_(token), kept_(kept), verdict_(verdict), view_(view) {}

  std::expected<std::string, std::string> write() {
    writer_.begin_object();
    for (const std::string_view name : view_.fields) {
      writer_.key(name);
      write_value(name);
    }
    writer_.end_object();
    if (!no_text_) return writer_.take();
    return std::unexpected(std::string(
        "some attributes for this submission cannot be converted to UTF-8, use base64_encoded=true query parameter"));
  }

 private:
  void write_value(std::string_view name) {
    if (write_text(name) || write_number(name) || write_time(name) || write_setting(name)) return;
    if (name == "status") {
      writer_.begin_object().key("id").signed_number(verdict_.status);
      writer_.key("description").text(kStatuses.at(static_cast<std::size_t>(verdict_.status - 1))).end_object();
    } else if (name == "language") {
      writer_.begin_object().key("id").signed_number(kept_.language_id);
      writer_.key("name").text(kept_.language_name).end_object();
    } else if (name == "redirect_stderr_to_stdout") {
      writer_.boolean(kept_.redirect_stderr_to_stdout);
    } else if (name.starts_with("enable_")) {
      writer_.boolean(false);
    } else {
      writer_.null();  // hosts and compiler options: none
    }
  }

  // Attributes that may be any bytes, and those that are always text.
  bool write_text(std::string_view name) {
    if (name == "source_code") return coded(kept_.source_code);
    if (name == "stdin") return coded(kept_.has_stdin ? std::optional(kept_.stdin_data) : std::nullopt);
    if (name == "expected_output") return coded(kept_.expected_output);
    if (name == "stdout") return coded(verdict_.stdout_data);
    if (name == "stderr") return coded(verdict_.stderr_data);
    if (name == "compile_output") return coded(verdict_.compile_output);
    if (name == "message") return coded(verdict_.message);
    if (name == "additional_files") {
      return told(kept_.additional_files.empty() ? "" : ruby_base64(kept_.additional_files));
    }
    if (name == "token") return told(token_);
    if (name == "time") return told(verdict_.time.value_or(""));
    if (name == "wall_time") return told(verdict_.wall_time.value_or(""));
    if (name == "command_line_arguments") return told(kept_.command_line_arguments);
    if (name == "callback_url") return told(kept_.callback_url);
    return false;
  }

  bool write_number(std::string_view name) {
    if (name == "memory") {
      writer_.number_or_null(verdict_.memory);
    } else if (name == "language_id") {
      writer_.signed_number(kept_.language_id);
    } else if (name == "status_id") {
      writer_.signed_number(verdict_.status);
    } else if (name == "exit_code") {
      number_or_null(verdict_.exit_code);
    } else if (name == "exit_signal") {
      number_or_null(verdict_.exit_signal);
    } else {
      return false;
    }
    return true;
  }

  bool write_time(std::string_view name) {
    if (name == "created_at" || name == "queued_at") {
      writer_.timestamp(kept_.created_at);
    } else if (name == "finished_at" || name == "updated_at") {
      if (verdict_.finished_at) {
        writer_.timestamp(*verdict_.finished_at);
      } else {
        writer_.null();
      }
    } else {
      return false;
    }
    return true;
  }

  bool write_setting(std::string_view name) {
    const auto found = std::ranges::find_if(kept_.settings, [name](const auto& each) { return each.first == name; });
    if (found == kept_.settings.end()) return false;
    if (std::ranges::find(kDecimals, name) != kDecimals.end()) {
      writer_.text(found->second);
    } else {
      writer_.json(found->second);
    }
    return true;
  }

  bool coded(const std::optional<std::string>& bytes) {
    if (!bytes) {
      writer_.null();
    } else if (view_.base64_encoded) {
      writer_.text(ruby_base64(*bytes));
    } else {
      no_text_ = no_text_ || !base::is_utf8(*bytes);
      writer_.text(*bytes);
    }
    return true;
  }
  bool told(std::string_view text) {
    writer_.text_or_null(text);
    return true;
  }
  void number_or_null(const std::optional<int>& value) {
    if (value) {
      writer_.signed_number(*value);
    } else {
      writer_.null();
    }
  }

  wire::JsonWriter writer_;
  std::string_view token_;
  const Kept& kept_;
  const Verdict& verdict_;
  const View& view_;
  bool no_text_ = false;
};

}  // namespace

std::expected<View, std::string> read_view(std::string_view fields, bool base64_encoded) {
  View view{{}, base64_encoded};
  std::vector<std::string_view> wanted;
  std::string invalid;
  bool all = false;
  while (!fields.empty()) {
    const std::size_t comma = std::min(fields.find(','), fields.size());
    const std::string_view name = fields.substr(0, comma);
    fields.remove_prefix(std::min(comma + 1, fields.size()));
    all = all || name == "*";
    if (name == "*" || std::ranges::find(kAttributes, name) != kAttributes.end()) {
      wanted.push_back(name);
    } else {
      invalid += (invalid.empty() ? "" : ", ") + std::string(name.substr(0, 64));
    }
  }
  if (!invalid.empty()) return std::unexpected("invalid fields: [" + invalid + "]");
  const auto asked = [&](std::string_view name) {
    if (wanted.empty()) return std::ranges::find(kDefaults, name) != kDefaults.end();
    return all || std::ranges::find(wanted, name) != wanted.end();
  };
  std::ranges::copy_if(kAttributes, std::back_inserter(view.fields), asked);
  return view;
}

std::string token_of(std::string_view job_id) {
  if (job_id.size() != kDashedLength - kDashes.size()) return std::string(job_id);
  std::string out(job_id);
  for (const std::size_t place : kDashes) out.insert(place, 1, '-');
  return out;
}

std::string job_id_of(std::string_view token) {
  std::string out(token);
  if (token.size() != kDashedLength) return out;
  for (const std::size_t place : kDashes) {
    if (token[place] != '-') return out;
  }
  std::erase(out, '-');
  return out;
}

std::expected<std::string, std::string> submission_json(std::string_view token, const Kept& kept,
                                                        const Verdict& verdict, const View& view) {
  return Writer(token, kept, verdict, view).write();
}

}  // namespace outrigger::judge0
