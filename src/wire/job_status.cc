#include "wire/job_status.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "wire/json_tree.h"
#include "wire/json_writer.h"
#include "wire/outcome_reader.h"

namespace outrigger::wire {
namespace {

void write_error(JsonWriter& writer, const ErrorBody& error) {
  writer.begin_object();
  writer.key("code").text(error.code);
  writer.key("message").text(error.message);
  writer.key("field").text_or_null(error.field);
  writer.end_object();
}

}  // namespace

std::string job_status_json(const JobStatus& status) {
  JsonWriter writer;
  writer.begin_object();
  writer.key("job_id").text(status.job_id);
  writer.key("state").text(status.state);
  writer.key("attempt").number(status.attempt);
  writer.key("cancel_requested").boolean(status.cancel_requested);
  writer.key("worker").text_or_null(status.worker);
  // Whoever can write to the queue can write anything there: what is no result is shown as none.
  const auto rejected = parse_error(status.result);
  const bool is_result = !rejected && !status.result.empty() && parse_tree(status.result).has_value();
  writer.key("result");
  if (is_result) {
    writer.json(status.result);
  } else {
    writer.null();
  }
  writer.key("error");
  if (rejected) {
    write_error(writer, *rejected);
  } else {
    writer.null();
  }
  return writer.end_object().take();
}

base::Result<JobStatus> parse_job_status(std::string_view text) {
  const auto tree = parse_tree(text);
  if (!tree || !tree->is_object()) return base::failure(base::Code::kInvalid, "parse_job_status", "not a JSON object");
  Refusal refusal;
  const Fields fields(tree->get_object(), "", refusal);
  JobStatus status;
  status.job_id = fields.required_text("job_id");
  status.state = fields.required_text("state");
  status.attempt = static_cast<std::uint32_t>(OutcomeReader(fields, refusal).count("attempt").value_or(0));
  status.cancel_requested = fields.required_boolean("cancel_requested");
  status.worker = fields.optional_text("worker");
  if (const auto* result = fields.optional_object("result")) status.result = boost::json::serialize(*result);
  if (const auto* error = fields.optional_object("error")) {
    status.result = R"({"error":)" + boost::json::serialize(*error) + "}";
  }
  if (refusal) return base::failure(base::Code::kInvalid, "parse_job_status", refusal.error().message);
  return status;
}

std::optional<std::uint32_t> result_attempt(std::string_view result) {
  const auto tree = parse_tree(result);
  if (!tree || !tree->is_object()) return std::nullopt;
  Refusal refusal;
  const Fields fields(tree->get_object(), "", refusal);
  const auto attempt = OutcomeReader(fields, refusal).count("attempt");
  if (!attempt || refusal) return std::nullopt;
  return static_cast<std::uint32_t>(*attempt);
}

std::string annotation_of(std::string_view text) {
  const auto tree = parse_tree(text);
  if (!tree || !tree->is_object()) return {};
  Refusal refusal;
  return std::string(Fields(tree->get_object(), "", refusal).optional_text("annotation"));
}

std::string rejection_json(const Rejected& rejected, const ErrorBody& error) {
  JsonWriter writer;
  writer.begin_object().key("job_id").text(rejected.job_id);
  if (!rejected.tenant_id.empty()) writer.key("tenant_id").text(rejected.tenant_id);
  writer.key("error");
  write_error(writer, error);
  if (!rejected.annotation.empty()) writer.key("annotation").text(rejected.annotation);
  return writer.end_object().take();
}

}  // namespace outrigger::wire
