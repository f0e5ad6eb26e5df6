#include "api/service_json.h"

#include <algorithm>

#include "wire/json_writer.h"
#include "wire/limits_text.h"

namespace outrigger::api {
namespace {

using wire::JsonWriter;

std::string_view status_text(HealthStatus status) {
  switch (status) {
    case HealthStatus::kOk: return "ok";
    case HealthStatus::kDegraded: return "degraded";
    case HealthStatus::kUnready: return "unready";
  }
  return "unready";
}

void worsen(Health& health, HealthStatus status, std::string reason) {
  health.status = std::max(health.status, status);
  health.reasons.push_back(std::move(reason));
}

void write_health_runtimes(JsonWriter& writer, const pool::ExecutionService& service) {
  writer.key("runtimes").begin_array();
  for (const model::InstalledRuntime& each : service.runtimes()) {
    writer.begin_object();
    writer.key("name").text(each.runtime.name);
    writer.key("available").boolean(!each.image_path.empty());
    writer.key("image").text(each.runtime.image);
    writer.key("version").text_or_null(each.version);
    writer.end_object();
  }
  writer.end_array();
}

void assess_audit(Health& health, const audit::TrailState& audit) {
  if (audit.database_away) {
    worsen(health, HealthStatus::kDegraded,
           "the audit database takes no rows, which are kept in the spool until it does: " + audit.trouble);
  } else if (!audit.trouble.empty()) {
    worsen(health, HealthStatus::kDegraded, "the audit spool takes no records: " + audit.trouble);
  }
  if (audit.spool_full) worsen(health, HealthStatus::kDegraded, "the audit spool is full");
  if (audit.lost > 0) {
    worsen(health, HealthStatus::kDegraded, std::to_string(audit.lost) + " audit records found no room and are lost");
  }
}

void write_audit(JsonWriter& writer, const audit::RunReader* runs) {
  writer.key("audit");
  if (runs == nullptr) {
    writer.null();
    return;
  }
  const audit::TrailState state = runs->state();
  writer.begin_object();
  writer.key("sink").text(state.sink);
  writer.key("available").boolean(!state.database_away);
  writer.key("spool_bytes").number(state.spool_bytes);
  writer.key("spool_full").boolean(state.spool_full);
  writer.key("in_memory").number(state.in_memory);
  writer.key("lost").number(state.lost);
  writer.key("rejected").number(state.rejected);
  writer.end_object();
}

void write_queue(JsonWriter& writer, const queue::JobDesk* jobs) {
  writer.key("queue");
  if (jobs == nullptr) {
    writer.null();
    return;
  }
  const queue::QueueState state = jobs->state();
  writer.begin_object();
  writer.key("driver").text(state.driver);
  writer.key("available").boolean(state.trouble.empty());
  writer.key("waiting").number(state.waiting);
  writer.key("running").number(state.running);
  writer.key("dead").number(state.dead);
  writer.key("in_flight").number(state.in_flight);
  writer.key("unsent").number(state.unsent);
  writer.end_object();
}

}  // namespace

Health assess(const Services& services, bool shutting_down) {
  const pool::ExecutionService& service = services.pool;
  Health health;
  const pool::PoolState state = service.state();
  if (shutting_down) worsen(health, HealthStatus::kUnready, "the daemon is shutting down");
  if (!state.jailer_alive) worsen(health, HealthStatus::kUnready, state.jailer_trouble);
  std::size_t available = 0;
  for (const model::InstalledRuntime& each : service.runtimes()) {
    if (!each.image_path.empty()) {
      ++available;
      continue;
    }
    if (each.runtime.on_demand) continue;
    worsen(health, HealthStatus::kDegraded,
           "runtime " + each.runtime.name + ": its image \"" + each.runtime.image +
               "\" has not been built; run: outrigger runtime build " + each.runtime.name);
  }
  if (available == 0) worsen(health, HealthStatus::kUnready, "no runtime is available");
  if (!state.record_trouble.empty()) worsen(health, HealthStatus::kDegraded, state.record_trouble);
  if (state.dispatch.paused) {
    worsen(health, HealthStatus::kDegraded,
           "dispatch is paused" + (state.dispatch.reason.empty() ? "" : ": " + state.dispatch.reason));
  }
  // Told to anybody, so without a word of what is in the file or where it is.
  if (services.tokens != nullptr && !services.tokens->trouble().empty()) {
    worsen(health, HealthStatus::kDegraded,
           "the tokens file is gone or wrong; what it said before goes on to hold, and the log says what is wrong");
  }
  if (services.runs != nullptr) assess_audit(health, services.runs->state());
  if (services.jobs != nullptr) {
    if (const auto queue = services.jobs->state(); !queue.trouble.empty()) {
      worsen(health, HealthStatus::kDegraded, "the queue can't be reached: " + queue.trouble);
    }
  }
  return health;
}

// How many jails stand ready for each runtime, how many are wanted, and how often a job found one.
void write_primed(JsonWriter& writer, const std::vector<pool::PrimedState>& primed) {
  writer.key("primed").begin_array();
  for (const pool::PrimedState& each : primed) {
    writer.begin_object().key("runtime").text(each.runtime);
    writer.key("ready").number(each.ready).key("target").number(each.target);
    writer.key("hits").number(each.hits).key("misses").number(each.misses).key("hit_rate");
    const std::uint64_t asked = each.hits + each.misses;
    if (asked == 0) {
      writer.null();
    } else {
      writer.real(static_cast<double>(each.hits) / static_cast<double>(asked));
    }
    writer.end_object();
  }
  writer.end_array();
}

std::string health_to_json(const Health& health, const Services& services, std::string_view version) {
  const pool::ExecutionService& service = services.pool;
  const pool::PoolState state = service.state();
  JsonWriter writer;
  writer.begin_object();
  writer.key("status").text(status_text(health.status));
  writer.key("reasons").begin_array();
  for (const std::string& reason : health.reasons) writer.text(reason);
  writer.end_array();
  writer.key("version").text(version);
  writer.key("cgroup").begin_object().key("driver").text_or_null(state.cgroup_driver).end_object();
  write_health_runtimes(writer, service);
  writer.key("pool").begin_object();
  writer.key("slots").number(state.slots).key("running").number(state.running).key("waiting").number(state.waiting);
  write_primed(writer, state.primed);
  writer.end_object();
  writer.key("dispatch").begin_object();
  writer.key("paused").boolean(state.dispatch.paused).key("reason").text_or_null(state.dispatch.reason);
  writer.end_object();
  write_audit(writer, services.runs);
  write_queue(writer, services.jobs);
  writer.end_object();
  return writer.take();
}

std::string languages_to_json(const pool::ExecutionService& service, const wire::RequestRules& rules) {
  JsonWriter writer;
  writer.begin_object().key("languages").begin_array();
  for (const model::InstalledRuntime& each : service.runtimes()) {
    writer.begin_object();
    writer.key("name").text(each.runtime.name);
    writer.key("aliases").begin_array();
    for (const std::string& alias : each.runtime.aliases) writer.text(alias);
    writer.end_array();
    writer.key("version").text_or_null(each.version);
    writer.key("image").text(each.runtime.image);
    writer.key("available").boolean(!each.image_path.empty());
    writer.key("source_file").text(each.runtime.source_file);
    writer.end_object();
  }
  writer.end_array();
  wire::write_limits(writer.key("default_limits"), rules.defaults);
  wire::write_limits(writer.key("limit_ceilings"), rules.ceilings);
  writer.end_object();
  return writer.take();
}

}  // namespace outrigger::api
