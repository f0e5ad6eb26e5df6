#include "wire/execute_request.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/ids.h"
#include "wire/fields.h"
#include "wire/json_tree.h"
#include "wire/limits_json.h"
#include "wire/request_fields.h"
#include "wire/request_sections.h"
#include "wire/run_record.h"
#include "wire/time_text.h"
#include "wire/trace_context.h"

namespace outrigger::wire {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::string_view kJobIdRule = "must be 1 to 64 of a-z 0-9 -, not beginning with -";

// A text member that may be large.
std::string read_large(std::string_view text, const std::string& field, std::size_t maximum, Refusal& refusal) {
  if (text.size() > maximum) {
    refusal.refuse(base::Code::kTooLarge, field,
                   field + " must not be larger than " + std::to_string(maximum) + " bytes; it has " +
                       std::to_string(text.size()));
  }
  return std::string(text);
}

std::string read_tenant(const Fields& fields, Refusal& refusal) {
  const std::string_view tenant = fields.required_text("tenant_id");
  if (!base::is_tenant_id(tenant)) refusal.invalid("tenant_id", "must be 1 to 64 of A-Z a-z 0-9 . _ -");
  return std::string(tenant);
}

model::OutputEncoding read_output_encoding(const Fields& fields, Refusal& refusal) {
  if (fields.find("output_encoding") == nullptr) return model::OutputEncoding::kUtf8;
  const std::string_view name = fields.optional_text("output_encoding");
  if (name == "base64") return model::OutputEncoding::kBase64;
  if (name != "utf8") refusal.invalid("output_encoding", R"(must be "utf8" or "base64")");
  return model::OutputEncoding::kUtf8;
}

// What is laid into the working directory must fit there, else the job would end in an odd ENOSPC before it began.
void check_room(const model::Job& job, Refusal& refusal) {
  const auto pages = [](std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; };
  std::size_t total = pages(job.code.size());
  for (const model::InputFile& file : job.files) total += pages(file.content.size());
  if (total <= job.limits.tmpfs_bytes) return;
  const std::string field = job.files.empty() ? "code" : "files";
  refusal.refuse(base::Code::kTooLarge, field,
                 (job.files.empty() ? "code needs " : "code and files need ") + std::to_string(total) +
                     " bytes, more than limits.tmpfs_bytes (" + std::to_string(job.limits.tmpfs_bytes) + ")");
}

model::Job read_job(const Fields& fields, const RequestRules& rules, Refusal& refusal) {
  model::Job job;
  job.tenant_id = read_tenant(fields, refusal);
  job.language = fields.required_text("language");
  if (job.language.empty()) refusal.invalid("language", "must not be empty");
  job.code = read_large(fields.required_text("code"), "code", rules.max_code, refusal);
  if (job.code.empty()) refusal.invalid("code", "must not be empty");
  job.stdin_data = read_large(fields.optional_text("stdin"), "stdin", rules.max_stdin, refusal);
  read_args_and_env(fields, rules, refusal, job);
  read_files(fields, rules, refusal, job);
  job.limits = rules.defaults;
  if (const boost::json::object* limits = fields.optional_object("limits")) {
    job.limits = read_limits(*limits, rules.defaults, rules.ceilings, refusal);
  }
  read_collect(fields, rules, refusal, job);
  job.output_encoding = read_output_encoding(fields, refusal);
  if (!refusal) check_room(job, refusal);
  return job;
}

// A limit that isn't even JSON (NaN, 0x10, an endless exponent) is told its range too.
RequestError with_limit_rule(RequestError error, const model::Limits& ceilings) {
  for (const model::LimitField& field : model::kLimitFields) {
    const std::string path = "limits." + std::string(field.name);
    if (error.field == path) error.message += "; " + path + " " + limit_rule(field, ceilings);
  }
  return error;
}

std::expected<boost::json::object, RequestError> parse_body(std::string_view body, const RequestRules& rules) {
  auto object = parse_object(body, "the request body");
  if (!object) return std::unexpected(with_limit_rule(std::move(object.error()), rules.ceilings));
  return object;
}

// Sizes hold after decoding: written as base64, what just fits is a third longer.
RequestRules rules_for_entry(const Fields& fields, RequestRules rules) {
  if (fields.optional_text("input_encoding") != "base64") return rules;
  const auto encoded = [](std::size_t bytes) { return (bytes + 2) / 3 * 4; };
  rules.max_code = encoded(rules.max_code);
  rules.max_stdin = encoded(rules.max_stdin);
  return rules;
}

// Programs and their input may be no text where they came through an API that carries bytes.
void decode_input(const Fields& fields, model::Job& job, Refusal& refusal) {
  const std::string_view encoding = fields.optional_text("input_encoding");
  if (encoding.empty() || encoding == "utf8") return;
  auto code = base::base64_decode(job.code);
  auto stdin_data = base::base64_decode(job.stdin_data);
  if (encoding != "base64" || !code || !stdin_data) {
    return refusal.invalid("input_encoding", R"(must be "utf8", or "base64" with code and stdin written so)");
  }
  job.code = std::move(*code);
  job.stdin_data = std::move(*stdin_data);
}

std::expected<model::Job, RequestError> read_execute_request(const boost::json::object& object,
                                                             const RequestRules& rules) {
  Refusal refusal;
  const Fields fields(object, "", refusal);
  fields.refuse_unknown(kExecuteFields);
  model::Job job = read_job(fields, rules, refusal);
  if (refusal) return std::unexpected(refusal.error());
  return job;
}

// The tenant that an object names, whatever else is wrong with it.
std::string_view named_tenant(const boost::json::object& object) {
  const boost::json::value* tenant = object.if_contains("tenant_id");
  const boost::json::string* text = tenant == nullptr ? nullptr : tenant->if_string();
  return text == nullptr ? std::string_view() : std::string_view(text->data(), text->size());
}

RequestRules rules_within(const Fields& fields, RequestRules rules, Refusal& refusal) {
  const boost::json::object* object = fields.optional_object("ceilings");
  if (object == nullptr) return rules;
  rules.ceilings = read_lowered(*object, "ceilings", rules.ceilings, refusal);
  rules.defaults = read_lowered(*object, "ceilings", rules.defaults, refusal);
  return rules;
}

QueuedRequest read_queued(const Fields& fields, const RequestRules& rules, Refusal& refusal) {
  QueuedRequest request;
  request.job = read_job(fields, rules, refusal);
  request.callback_url = fields.optional_text("callback_url");
  return request;
}

}  // namespace

std::expected<model::Job, RequestError> parse_execute_request(std::string_view body, const RequestRules& rules) {
  auto object = parse_body(body, rules);
  if (!object) return std::unexpected(std::move(object.error()));
  return read_execute_request(*object, rules);
}

std::expected<BatchRequest, RequestError> parse_batch_request(std::string_view body, const RulesOf& rules_of) {
  auto object = parse_body(body, rules_of({}));
  if (!object) return std::unexpected(std::move(object.error()));
  Refusal refusal;
  const Fields fields(*object, "", refusal);
  fields.refuse_unknown(kBatchFields);
  const boost::json::array* jobs = fields.optional_array("jobs");
  if (jobs == nullptr || jobs->empty() || jobs->size() > kMaxBatch) {
    refusal.invalid("jobs", "must be a list of 1 to " + std::to_string(kMaxBatch) + " requests");
  }
  if (refusal) return std::unexpected(refusal.error());
  BatchRequest batch;
  for (const boost::json::value& each : *jobs) {
    if (each.is_object()) {
      batch.push_back(read_execute_request(each.get_object(), rules_of(named_tenant(each.get_object()))));
    } else {
      batch.emplace_back(std::unexpected(RequestError{base::Code::kInvalid, "", "a request must be a JSON object"}));
    }
  }
  return batch;
}

std::expected<model::Job, RequestError> checked(model::Job job, const RequestRules& rules) {
  const model::Limits limits = std::exchange(job.limits, model::Limits{});
  auto out = parse_execute_request(to_json(job), rules);
  if (out) out->limits = limits;
  return out;
}

std::expected<QueuedRequest, RequestError> parse_job_request(std::string_view body, const RequestRules& rules) {
  auto object = parse_body(body, rules);
  if (!object) return std::unexpected(std::move(object.error()));
  Refusal refusal;
  const Fields fields(*object, "", refusal);
  fields.refuse_unknown(kExecuteFields, kJobFields);
  QueuedRequest request = read_queued(fields, rules, refusal);
  if (refusal) return std::unexpected(refusal.error());
  return request;
}

std::expected<QueuedRequest, RequestError> parse_queue_entry(std::string_view entry, const RequestRules& rules) {
  auto object = parse_body(entry, rules);
  if (!object) return std::unexpected(std::move(object.error()));
  Refusal refusal;
  const Fields fields(*object, "", refusal);
  std::vector<std::string_view> more(kJobFields.begin(), kJobFields.end());
  more.insert(more.end(), kEntryFields.begin(), kEntryFields.end());
  fields.refuse_unknown(kExecuteFields, more);
  QueuedRequest request = read_queued(fields, rules_for_entry(fields, rules_within(fields, rules, refusal)), refusal);
  decode_input(fields, request.job, refusal);
  if (object->contains("stderr_to_stdout")) {
    request.job.stderr_to_stdout = fields.required_boolean("stderr_to_stdout");
  }
  request.job.annotation = read_large(fields.optional_text("annotation"), "annotation", rules.max_annotation, refusal);
  request.job.job_id = fields.required_text("job_id");
  if (!base::is_job_id(request.job.job_id)) refusal.invalid("job_id", kJobIdRule);
  request.job.origin = model::Origin::kQueue;
  if (const auto id = fields.optional_text("token_id"); base::is_job_id(id))
    request.job.token_id = id;  // of the same form
  request.job.traceparent = good_traceparent(fields.optional_text("traceparent"));
  if (fields.find("submitted_at") != nullptr) {
    const auto time = parse_time(fields.optional_text("submitted_at"));
    if (!time) refusal.invalid("submitted_at", "must be a time of RFC 3339");
    request.job.received_at = time.value_or(std::chrono::system_clock::time_point{});
  }
  if (refusal) return std::unexpected(refusal.error());
  return request;
}

std::expected<NamedEntry, std::string> name_queue_entry(std::string_view entry, std::string_view new_id) {
  const auto tree = parse_tree(entry);
  if (!tree) return std::unexpected(tree.error().message);
  const boost::json::object* object = tree->if_object();
  if (object == nullptr) return std::unexpected(std::string("an entry must be a JSON object"));
  const boost::json::value* id = object->if_contains("job_id");
  if (id != nullptr) {
    const std::string_view text = id->is_string() ? std::string_view(id->get_string()) : std::string_view();
    if (!base::is_job_id(text)) return std::unexpected("job_id " + std::string(kJobIdRule));
    return NamedEntry{std::string(text), std::string(entry)};
  }
  if (object->empty()) return std::unexpected(std::string("tenant_id is required"));
  std::string named = R"({"job_id":")" + std::string(new_id) + R"(",)";
  named += entry.substr(entry.find('{') + 1);
  return NamedEntry{std::string(new_id), std::move(named)};
}

std::string queue_entry(std::string_view body, std::string_view job_id,
                        std::chrono::system_clock::time_point submitted_at, const EntryNotes& notes) {
  std::string entry = R"({"job_id":")" + std::string(job_id) + R"(","submitted_at":")" + time_text(submitted_at) + '"';
  if (notes.ceilings) entry += R"(,"ceilings":)" + limits_json(*notes.ceilings);
  if (!notes.token_id.empty()) entry += R"(,"token_id":")" + notes.token_id + '"';
  if (!notes.traceparent.empty()) entry += R"(,"traceparent":")" + notes.traceparent + '"';
  const std::string_view members = body.substr(body.find('{') + 1);
  return entry + ',' + std::string(members);
}

std::string tenant_of(std::string_view json) {
  const auto tree = parse_tree(json);
  return tree && tree->is_object() ? std::string(named_tenant(tree->get_object())) : std::string();
}

}  // namespace outrigger::wire
