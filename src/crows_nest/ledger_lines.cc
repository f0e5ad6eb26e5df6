#include <boost/json/value.hpp>

#include <deque>

#include "base/format.h"
#include "crows_nest/verbs.h"
#include "ledger/query.h"
#include "view/words.h"
#include "wire/json_tree.h"
#include "witness/incidents.h"
#include "witness/ledger_place.h"

namespace outrigger::crows_nest {
namespace {

namespace json = boost::json;

std::string text_of(const json::object& line, std::string_view key) {
  const json::value* value = line.if_contains(key);
  if (value == nullptr || value->is_null()) return "-";
  if (value->is_string()) return view::printable({value->get_string().data(), value->get_string().size()});
  return "-";
}

// `per_unit` of what stands there make one of what is shown.
std::string number_of(const json::object& line, std::string_view key, double per_unit, const char* unit) {
  const json::value* value = line.if_contains(key);
  json::error_code ec;
  const double number = value != nullptr ? value->to_number<double>(ec) : 0;
  if (value == nullptr || ec) return "-";
  return base::formatted("%.1f %s", number / per_unit, unit);
}

std::string of_object(const json::object& line, std::string_view key, std::string_view member) {
  const json::value* value = line.if_contains(key);
  return value != nullptr && value->is_object() ? text_of(value->get_object(), member) : "-";
}

std::string execution_text(const json::object& line) {
  return text_of(line, "recorded_at") + "  " + text_of(line, "job_id") + "  " + text_of(line, "tenant_id") + "  " +
         text_of(line, "language") + "  " + of_object(line, "cause", "code") + " (" + text_of(line, "confidence") +
         "): " + of_object(line, "cause", "text") + "; wall " + number_of(line, "wall_time_ms", 1, "ms") + ", CPU " +
         number_of(line, "cpu_usage_usec", 1000, "ms") + ", peak " +
         number_of(line, "peak_memory_bytes", 1 << 20, "MiB") + "\n";
}

std::string incident_text(const json::object& line) {
  return text_of(line, "recorded_at") + "  " + text_of(line, "severity") + "  " + text_of(line, "rule") + "  " +
         text_of(line, "job_id") + "  " + text_of(line, "text") + "\n";
}

std::string shown(std::string_view line, const LinesOptions& options) {
  if (options.json) return std::string(line) + "\n";
  const auto tree = wire::parse_tree(line);
  if (!tree || !tree->is_object()) return "(a line that is no JSON: see `crows-nest ledger verify`)\n";
  return options.incidents ? incident_text(tree->get_object()) : execution_text(tree->get_object());
}

}  // namespace

int run(const LinesOptions& options) {
  const auto config = load_settings(options.settings);
  if (!config) return cannot(config.error());
  const auto dir = witness::open_ledger_dir(config->paths);
  if (!dir) return cannot(dir.error());
  const char* name = options.incidents ? witness::kIncidentLedger : witness::kExecutionLedger;
  const ledger::Filter filter{options.job_id, options.tenant_id, options.cause, options.rule, options.since};
  int status = kHealthy;
  // The newest so many are found from the end, and shown in their order.
  std::deque<std::string> newest;
  const auto look = [&](std::string_view line) {
    if (options.limit == 0) return (status = print(shown(line, options))) == kHealthy;
    newest.push_front(shown(line, options));
    return newest.size() < options.limit;
  };
  const auto order = options.limit == 0 ? ledger::Order::kOldestFirst : ledger::Order::kNewestFirst;
  if (const auto read = ledger::find(dir->get(), name, filter, order, look); !read) return cannot(read.error());
  for (const std::string& line : newest) status = std::max(status, print(line));
  return status;
}

}  // namespace outrigger::crows_nest
