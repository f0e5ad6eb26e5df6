#include "wire/limits_text.h"

#include <cstdint>

namespace outrigger::wire {

void write_limit(JsonWriter& writer, const model::LimitField& field, const model::Limits& limits) {
  writer.key(field.name);
  if (field.whole) {
    writer.number(static_cast<std::uint64_t>(field.get(limits)));
  } else {
    writer.real(field.get(limits));
  }
}

void write_limits(JsonWriter& writer, const model::Limits& limits) {
  writer.begin_object();
  for (const model::LimitField& field : model::kLimitFields) write_limit(writer, field, limits);
  writer.end_object();
}

}  // namespace outrigger::wire
