#include "wire/daemon_card.h"

#include <boost/json/object.hpp>

#include "wire/json_tree.h"
#include "wire/json_writer.h"
#include "wire/outcome_reader.h"

namespace outrigger::wire {

std::string daemon_card_json(const DaemonCard& card) {
  JsonWriter writer;
  writer.begin_object();
  writer.key("pid").number(card.pid);
  writer.key("version").text(card.version);
  writer.key("listen").text(card.listen);
  writer.key("cgroup_driver").text(card.cgroup_driver);
  writer.key("cgroup_root").text(card.cgroup_root);
  writer.key("started_at").timestamp(card.started_at);
  writer.end_object();
  return writer.take() + '\n';
}

std::expected<DaemonCard, RequestError> parse_daemon_card(std::string_view text) {
  const auto object = parse_object(text, "a daemon's card");
  if (!object) return std::unexpected(object.error());
  Refusal refusal;
  const Fields fields(*object, "", refusal);
  DaemonCard out;
  out.pid = OutcomeReader(fields, refusal).count("pid").value_or(0);
  out.version = fields.optional_text("version");
  out.listen = fields.required_text("listen");
  out.cgroup_driver = fields.required_text("cgroup_driver");
  out.cgroup_root = fields.required_text("cgroup_root");
  out.started_at = OutcomeReader(fields, refusal).moment("started_at");
  if (refusal) return std::unexpected(refusal.error());
  return out;
}

}  // namespace outrigger::wire
