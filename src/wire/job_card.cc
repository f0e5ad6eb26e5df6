#include "wire/job_card.h"

#include <boost/json/object.hpp>

#include "base/ids.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"
#include "wire/limits_text.h"
#include "wire/outcome_reader.h"

namespace outrigger::wire {

std::string job_card_json(const JobCard& card) {
  JsonWriter writer;
  writer.begin_object();
  writer.key("job_id").text(card.job_id);
  writer.key("tenant_id").text(card.tenant_id);
  writer.key("language").text(card.language);
  writer.key("command").text(card.command);
  writer.key("started_at").timestamp(card.started_at);
  write_limits(writer.key("limits"), card.limits);
  writer.key("cgroup").text(card.cgroup);
  writer.end_object();
  return writer.take() + '\n';
}

std::expected<JobCard, RequestError> parse_job_card(std::string_view text) {
  const auto object = parse_object(text, "a job card");
  if (!object) return std::unexpected(object.error());
  Refusal refusal;
  const Fields fields(*object, "", refusal);
  JobCard out;
  out.job_id = fields.required_text("job_id");
  out.tenant_id = fields.required_text("tenant_id");
  out.language = fields.required_text("language");
  out.command = fields.optional_text("command");
  out.cgroup = fields.required_text("cgroup");
  out.started_at = OutcomeReader(fields, refusal).moment("started_at");
  if (const auto* limits = fields.optional_object("limits")) read_known_limits(*limits, refusal, out.limits);
  if (!base::is_job_id(out.job_id)) refusal.invalid("job_id", "must be a job id");
  if (!out.cgroup.starts_with('/')) refusal.invalid("cgroup", "must be an absolute path");
  if (refusal) return std::unexpected(refusal.error());
  return out;
}

}  // namespace outrigger::wire
