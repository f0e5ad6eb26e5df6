#include "judge0/config.h"

#include <algorithm>
#include <cmath>

#include "model/limit_fields.h"
#include "wire/json_writer.h"

namespace outrigger::judge0 {
namespace {

constexpr double kSecond = 1000;    // in milliseconds
constexpr double kKilobyte = 1024;  // in bytes, as isolate counts
constexpr int kMaxRuns = 20;

const model::LimitField& field_of(std::string_view name) {
  return *std::ranges::find(model::kLimitFields, name, &model::LimitField::name);
}

Setting sets(std::string_view name, std::string_view limit, double unit, double minimum, const model::Limits& defaults,
             const model::Limits& ceilings) {
  const model::LimitField& field = field_of(limit);
  const bool decimal = unit == kSecond;
  const auto in_unit = [decimal, unit](double value) { return decimal ? value / unit : std::floor(value / unit); };
  return {name, decimal, in_unit(field.get(defaults)), minimum, unit == 1, in_unit(field.get(ceilings)), limit, unit};
}

}  // namespace

std::array<Setting, 8> settings(const model::Limits& defaults, const model::Limits& ceilings) {
  return {{{"number_of_runs", false, 1, 0, true, kMaxRuns, "", 1},
           sets("cpu_time_limit", "cpu_time_ms", kSecond, 0, defaults, ceilings),
           {"cpu_extra_time", true, 1, 0, false, 5, "", 1},
           sets("wall_time_limit", "wall_time_ms", kSecond, 1, defaults, ceilings),
           sets("memory_limit", "memory_bytes", kKilobyte, 2048, defaults, ceilings),
           {"stack_limit", false, 64000, 0, false, 128000, "", 1},
           sets("max_processes_and_or_threads", "pids", 1, 0, defaults, ceilings),
           {"max_file_size", false, 1024, 0, false, 4096, "", 1}}};
}

std::string decimal_text(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  const auto whole = static_cast<std::uint64_t>(std::llround(value * scale));
  const auto base = static_cast<std::uint64_t>(scale);
  std::string fraction = std::to_string(base + whole % base).substr(1);  // with its leading zeroes
  while (fraction.size() > 1 && fraction.back() == '0') fraction.pop_back();
  return std::to_string(whole / base) + "." + fraction;
}

std::string config_info_json(const model::Limits& defaults, const model::Limits& ceilings) {
  wire::JsonWriter writer;
  const auto flag = [&writer](std::string_view name, bool value) { writer.key(name).boolean(value); };
  const auto number = [&writer](const std::string& name, const Setting& setting, double value) {
    writer.key(name).json(setting.decimal ? decimal_text(value) : std::to_string(static_cast<std::uint64_t>(value)));
  };
  writer.begin_object();
  flag("maintenance_mode", false);
  flag("enable_wait_result", true);
  flag("enable_compiler_options", false);
  writer.key("allowed_languages_for_compile_options").begin_array().end_array();
  flag("enable_command_line_arguments", true);
  flag("enable_submission_delete", false);
  flag("enable_callbacks", true);
  flag("enable_additional_files", true);
  for (const Setting& setting : settings(defaults, ceilings)) {
    const std::string name(setting.name);
    number(name, setting, setting.fallback);
    number("max_" + name, setting, setting.maximum);
  }
  for (const char* what : {"time", "memory"}) {
    const std::string option = std::string("enable_per_process_and_thread_") + what + "_limit";
    flag(option, false);
    flag("allow_" + option, false);
  }
  flag("redirect_stderr_to_stdout", false);
  writer.key("max_extract_size").number(kMaxExtractKilobytes);
  flag("enable_batched_submissions", true);
  writer.key("max_submission_batch_size").number(kMaxBatch);
  flag("allow_enable_network", false);
  flag("enable_network", false);
  flag("disable_implicit_base64_encoding", true);
  return writer.end_object().take();
}

std::string about_json(std::string_view product) {
  wire::JsonWriter writer;
  writer.begin_object().key("version").text(kApiVersion);
  writer.key("homepage").null().key("source_code").null().key("maintainer").null();
  return writer.key("server").text(product).end_object().take();
}

}  // namespace outrigger::judge0
