#include "wire/job_card.h"

#include "wire/json_writer.h"
#include "wire/limits_text.h"

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

}  // namespace outrigger::wire
