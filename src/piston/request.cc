#include "piston/request.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "base/utf8.h"
#include "model/limit_fields.h"
#include "piston/files.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"

namespace outrigger::piston {
namespace {

namespace json = boost::json;

std::unexpected<Refusal> refuse(std::string message, int status = 400) {
  return std::unexpected(Refusal{status, std::move(message)});
}

// Empty for what is no string, too.
std::string_view text_of(const json::object& body, std::string_view name) {
  const json::value* value = body.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

bool is_given(const json::value* value) { return value != nullptr && !value->is_null(); }

// One of Piston's constraints: its name in a request, and the limit that it sets.
struct Constraint {
  std::string_view name;
  std::string_view limit;  // of model::kLimitFields; empty: of the compile step, which is the operator's to limit
  bool below_zero_is_most = false;
};
// In the order in which Piston looks at them.
constexpr std::array<Constraint, 6> kConstraints{{{"compile_memory_limit", "", true},
                                                  {"run_memory_limit", "memory_bytes", true},
                                                  {"compile_timeout", ""},
                                                  {"run_timeout", "wall_time_ms"},
                                                  {"compile_cpu_time", ""},
                                                  {"run_cpu_time", "cpu_time_ms"}}};

std::string apply(const Constraint& constraint, double value, const model::Limits& ceilings, model::Limits& limits) {
  const std::string name(constraint.name);
  if (value < 0 && !constraint.below_zero_is_most) return name + " must be non-negative";
  const auto* field = std::ranges::find(model::kLimitFields, constraint.limit, &model::LimitField::name);
  if (field == model::kLimitFields.end()) return {};
  const double most = field->get(ceilings);
  if (value > most) {
    return name + " cannot exceed the configured limit of " + std::to_string(static_cast<std::uint64_t>(most));
  }
  field->set(limits, value < 0 ? most : std::max(std::ceil(value), field->minimum));
  return {};
}

// What is wrong with the constraints, or nothing. Zero, as null, is none to Piston.
std::string read_constraints(const json::object& body, const model::Limits& ceilings, model::Limits& limits) {
  for (const Constraint& constraint : kConstraints) {
    const json::value* value = body.if_contains(constraint.name);
    if (!is_given(value) || (value->is_bool() && !value->get_bool())) continue;
    if (value->is_string() && value->get_string().empty()) continue;
    if (!value->is_number()) return "If specified, " + std::string(constraint.name) + " must be a number";
    const auto number = value->to_number<double>();
    if (number == 0) continue;
    std::string fault = apply(constraint, number, ceilings, limits);
    if (!fault.empty()) return fault;
  }
  return {};
}

std::string read_args(const json::object& body, model::Job& job) {
  static constexpr auto kRule = "args must be an array of strings";
  const json::value* args = body.if_contains("args");
  if (!is_given(args)) return {};
  if (!args->is_array()) return kRule;
  for (const json::value& arg : args->get_array()) {
    if (!arg.is_string()) return kRule;
    job.args.emplace_back(arg.get_string());
  }
  return {};
}

std::string read_stdin(const json::object& body, model::Job& job) {
  const json::value* given = body.if_contains("stdin");
  if (is_given(given) && !given->is_string()) return "stdin must be a string";
  job.stdin_data = text_of(body, "stdin");
  // Piston's own doing, which programs that read a line rely on.
  if (!job.stdin_data.ends_with('\n')) job.stdin_data += '\n';
  return {};
}

// The program runs under the name its runtime wants. Where it was given another, another file of the request may ask
// for it by that name: it is laid under both.
void lay_files(Files files, const model::Runtime& runtime, model::Job& job) {
  job.code = std::move(files.code);
  job.files = std::move(files.others);
  if (!job.files.empty() && files.main_name != runtime.source_file) job.files.push_back({files.main_name, job.code});
}

// What our own rules have against the job, in the request's terms.
Refusal in_their_words(const wire::RequestError& error, std::size_t main) {
  const std::string place = "files[" + std::to_string(main) + "].content";
  const bool code = error.field == "code" && error.message.starts_with("code ");
  return {error.code == base::Code::kTooLarge ? 413 : 400, code ? place + error.message.substr(4) : error.message};
}

std::string check_head(const json::object& body) {
  if (text_of(body, "language").empty()) return "language is required as a string";
  if (text_of(body, "version").empty()) return "version is required as a string";
  const json::value* files = body.if_contains("files");
  if (files == nullptr || !files->is_array()) return "files is required as an array";
  for (std::size_t i = 0; i < files->get_array().size(); ++i) {
    const json::object* file = files->get_array()[i].if_object();
    const json::value* content = file == nullptr ? nullptr : file->if_contains("content");
    if (content == nullptr || !content->is_string()) {
      return "files[" + std::to_string(i) + "].content is required as a string";
    }
  }
  return {};
}

}  // namespace

std::string refusal_json(std::string_view message) {
  wire::JsonWriter writer;
  return writer.begin_object().key("message").text(message).end_object().take();
}

std::expected<Request, Refusal> parse_request(std::string_view text, std::string_view tenant,
                                              std::span<const model::InstalledRuntime> runtimes,
                                              const wire::RequestRules& rules) {
  const auto body = wire::parse_object(text, "the request body");
  if (!body) return refuse(body.error().message, body.error().code == base::Code::kTooLarge ? 413 : 400);
  if (std::string fault = check_head(*body); !fault.empty()) return refuse(std::move(fault));
  const std::string_view language = text_of(*body, "language");
  const std::string_view version = text_of(*body, "version");
  auto runtime = find_runtime(runtimes, language, version);
  if (!runtime) return refuse(std::string(language) + "-" + std::string(version) + " runtime is unknown");
  const json::array& given = body->at("files").get_array();
  if (!has_text_file(given)) return refuse("files must include at least one utf8 encoded file");
  model::Job job;
  job.limits = rules.defaults;
  if (const std::string fault = read_constraints(*body, rules.ceilings, job.limits); !fault.empty())
    return refuse(fault);
  if (const std::string fault = read_args(*body, job); !fault.empty()) return refuse(fault);
  if (const std::string fault = read_stdin(*body, job); !fault.empty()) return refuse(fault);
  auto files = read_files(given, runtime->installed->runtime.source_file);
  if (!files) return refuse(std::move(files.error()));
  const std::size_t main = files->main;
  if (files->code.empty()) files->code = "\n";  // Piston runs an empty program; we take none that is empty
  if (!base::is_utf8(files->code)) return refuse("the file that is run must be UTF-8 text");
  lay_files(std::move(*files), runtime->installed->runtime, job);
  job.tenant_id = tenant;
  job.language = runtime->installed->runtime.name;
  auto checked = wire::checked(std::move(job), rules);
  if (!checked) return std::unexpected(in_their_words(checked.error(), main));
  return Request{std::move(*checked), std::move(*runtime)};
}

}  // namespace outrigger::piston
