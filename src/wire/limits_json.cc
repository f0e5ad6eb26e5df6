#include "wire/limits_json.h"

#include <boost/json/value.hpp>
#include <charconv>
#include <cmath>
#include <vector>

namespace outrigger::wire {
namespace {

std::string decimal(double value) {
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return {buffer, result.ptr};
}

// Infinite where the value is no number, so that one range check refuses it.
double number_of(const boost::json::value& value) {
  if (const auto* number = value.if_int64()) return static_cast<double>(*number);
  if (const auto* number = value.if_uint64()) return static_cast<double>(*number);
  if (const auto* number = value.if_double()) return *number;
  return HUGE_VAL;
}

bool fits(const model::LimitField& field, double value, const model::Limits& ceilings) {
  if (field.whole && std::trunc(value) != value) return false;
  return value >= field.minimum && value <= field.get(ceilings);
}

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  names.reserve(model::kLimitFields.size());
  for (const model::LimitField& field : model::kLimitFields) names.push_back(field.name);
  return names;
}

}  // namespace

std::string limit_rule(const model::LimitField& field, const model::Limits& ceilings) {
  return std::string("must be ") + (field.whole ? "an integer" : "a number") + " from " + decimal(field.minimum) +
         " to " + decimal(field.get(ceilings));
}

model::Limits read_limits(const boost::json::object& object, const model::Limits& defaults,
                          const model::Limits& ceilings, Refusal& refusal) {
  model::Limits limits = defaults;
  const Fields fields(object, "limits", refusal);
  fields.refuse_unknown(known_names());
  for (const model::LimitField& field : model::kLimitFields) {
    const boost::json::value* value = fields.find(field.name);
    if (value == nullptr) continue;
    const double number = number_of(*value);
    if (fits(field, number, ceilings)) {
      field.set(limits, number);
    } else {
      refusal.invalid(fields.path(field.name), limit_rule(field, ceilings));
    }
  }
  return limits;
}

model::Limits read_lowered(const boost::json::object& object, const std::string& where, model::Limits limits,
                           Refusal& refusal) {
  model::Limits most;
  for (const model::LimitField& field : model::kLimitFields) field.set(most, field.maximum);
  const Fields fields(object, where, refusal);
  fields.refuse_unknown(known_names());
  for (const model::LimitField& field : model::kLimitFields) {
    const boost::json::value* value = fields.find(field.name);
    if (value == nullptr) continue;
    const double number = number_of(*value);
    if (!fits(field, number, most)) {
      refusal.invalid(fields.path(field.name), limit_rule(field, most));
    } else if (number < field.get(limits)) {
      field.set(limits, number);
    }
  }
  return limits;
}

}  // namespace outrigger::wire
