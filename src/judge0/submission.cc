#include "judge0/submission.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "judge0/archive.h"
#include "judge0/arguments.h"
#include "judge0/attributes.h"
#include "judge0/config.h"
#include "judge0/kept.h"
#include "judge0/language.h"
#include "model/limit_fields.h"

namespace outrigger::judge0 {
namespace {

constexpr std::size_t kMaxOptions = 512;
constexpr std::size_t kMaxExpected = 1U << 20;  // no output is so long

std::string plain(const Setting& setting, double value) {
  return setting.decimal ? decimal_text(value) : std::to_string(static_cast<std::uint64_t>(value));
}

// Reads one submission, remembering all that is wrong with it.
class Reader {
 public:
  Reader(const boost::json::object& attributes, const Arrival& arrival, const wire::RequestRules& rules)
      : attributes_(attributes), arrival_(arrival), rules_(rules) {
    job_.tenant_id = arrival.tenant_id;
    job_.limits = rules.defaults;
    job_.output_encoding = model::OutputEncoding::kBase64;
    kept_.tenant_id = arrival.tenant_id;
    kept_.created_at = arrival.at;
  }

  void read_program(std::span<const model::InstalledRuntime> runtimes) {
    const auto source = attributes_.bytes("source_code", arrival_.base64_encoded);
    if (!source || is_blank(*source)) errors_.add("source_code", "can't be blank");
    job_.code = source.value_or("");
    job_.stdin_data = attributes_.bytes("stdin", arrival_.base64_encoded).value_or("");
    kept_.has_stdin = attributes_.given("stdin");
    kept_.expected_output = attributes_.bytes("expected_output", arrival_.base64_encoded);
    if (kept_.expected_output && kept_.expected_output->size() > kMaxExpected) {
      errors_.add("expected_output", "is too long (maximum is " + std::to_string(kMaxExpected) + " bytes)");
    }
    read_language(runtimes);
  }

  void read_settings() {
    for (const Setting& setting : settings(rules_.defaults, rules_.ceilings)) read_setting(setting);
  }

  void read_switches() {
    for (const char* name :
         {"enable_per_process_and_thread_time_limit", "enable_per_process_and_thread_memory_limit"}) {
      if (attributes_.boolean(name)) errors_.add(name, "this option cannot be enabled");
    }
    if (attributes_.boolean("enable_network")) errors_.add("enable_network", "enabling network is not allowed");
    kept_.redirect_stderr_to_stdout = attributes_.boolean("redirect_stderr_to_stdout");
    job_.stderr_to_stdout = kept_.redirect_stderr_to_stdout;
  }

  void read_options() {
    const std::string compiler = option("compiler_options");
    if (!is_blank(compiler)) errors_.add("compiler_options", "setting compiler options is not allowed");
    kept_.command_line_arguments = option("command_line_arguments");
    job_.args = split_arguments(kept_.command_line_arguments);
    kept_.callback_url = attributes_.text("callback_url").value_or("");
  }

  void read_files() {
    const auto zip = attributes_.bytes("additional_files", true);
    if (!zip || zip->empty()) return;
    auto files = unpack(*zip, kMaxExtractKilobytes << 10U, rules_.max_file_entries);
    if (!files) {
      errors_.add("additional_files", std::move(files.error()));
      return;
    }
    // unzip does not overwrite: the program's own file stays what it is.
    std::erase_if(*files, [this](const model::InputFile& file) { return file.path == source_file_; });
    job_.files = std::move(*files);
    kept_.additional_files = *zip;
  }

  std::expected<Submission, Errors> finish() {
    if (!errors_.empty()) return std::unexpected(std::move(errors_));
    check_rules();
    if (!errors_.empty()) return std::unexpected(std::move(errors_));
    kept_.source_code = job_.code;
    kept_.stdin_data = job_.stdin_data;
    job_.annotation = kept_json(kept_);
    return Submission{std::move(job_), kept_.callback_url};
  }

 private:
  void read_language(std::span<const model::InstalledRuntime> runtimes) {
    const std::optional<std::string> asked = attributes_.text("language_id");
    if (!asked) return errors_.add("language_id", "can't be blank");
    const double id = attributes_.number("language_id").value_or(0);
    const bool sane = id >= 0 && id < 1e6;
    const auto language = find_language(runtimes, sane ? static_cast<int>(id) : 0);
    if (!language) {
      return errors_.add("language_id", "language with id " + asked->substr(0, 20) + " doesn't exist");
    }
    if (language->installed->image_path.empty()) {
      return errors_.add("language_id", "language with id " + std::to_string(language->id) + " is not installed here");
    }
    job_.language = language->installed->runtime.name;
    source_file_ = language->installed->runtime.source_file;
    kept_.language_id = language->id;
    kept_.language_name = language->name;
  }

  void read_setting(const Setting& setting) {
    double value = setting.fallback;
    if (attributes_.given(setting.name)) {
      const auto given = attributes_.number(setting.name);
      if (!given) return errors_.add(setting.name, "is not a number");
      value = *given;
    }
    if (setting.above && !(value > setting.minimum)) {
      return errors_.add(setting.name, "must be greater than " + plain(setting, setting.minimum));
    }
    if (value < setting.minimum) {
      return errors_.add(setting.name, "must be greater than or equal to " + plain(setting, setting.minimum));
    }
    if (value > setting.maximum) {
      return errors_.add(setting.name, "must be less than or equal to " + plain(setting, setting.maximum));
    }
    kept_.settings.emplace_back(setting.name, plain(setting, value));
    if (!setting.limit.empty()) apply(setting, value);
  }

  // A limit of zero is none to isolate: as much as there may be.
  void apply(const Setting& setting, double value) {
    const auto& field = *std::ranges::find(model::kLimitFields, setting.limit, &model::LimitField::name);
    const double asked = std::ceil(value * setting.unit);
    const double most = field.get(rules_.ceilings);
    field.set(job_.limits, value == 0 ? most : std::min(std::max(asked, field.minimum), most));
  }

  std::string option(std::string_view name) {
    std::string text = attributes_.text(name).value_or("");
    if (text.size() > kMaxOptions) {
      errors_.add(name, "is too long (maximum is " + std::to_string(kMaxOptions) + " characters)");
    }
    return text;
  }

  // Our own rules, told of Judge0's attributes.
  void check_rules() {
    model::Job probe = job_;
    // Only their sizes matter there, and they may be no text.
    if (!base::is_utf8(probe.code)) probe.code.assign(probe.code.size(), 'x');
    if (!base::is_utf8(probe.stdin_data)) probe.stdin_data.assign(probe.stdin_data.size(), 'x');
    const auto checked = wire::checked(std::move(probe), rules_);
    if (checked) return;
    const wire::RequestError& error = checked.error();
    std::string_view attribute = "additional_files";
    if (error.field == "code") attribute = "source_code";
    if (error.field == "stdin") attribute = "stdin";
    if (error.field.starts_with("args")) attribute = "command_line_arguments";
    errors_.add(attribute, error.message);
  }

  Attributes attributes_;
  const Arrival& arrival_;
  const wire::RequestRules& rules_;
  model::Job job_;
  Kept kept_;
  std::string source_file_;
  Errors errors_;
};

}  // namespace

std::expected<Submission, Errors> read_submission(const boost::json::object& attributes, const Arrival& arrival,
                                                  std::span<const model::InstalledRuntime> runtimes,
                                                  const wire::RequestRules& rules) {
  Reader reader(attributes, arrival, rules);
  reader.read_program(runtimes);
  reader.read_settings();
  reader.read_switches();
  reader.read_options();
  reader.read_files();
  return reader.finish();
}

}  // namespace outrigger::judge0
