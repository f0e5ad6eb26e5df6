#include "store_redis/dead_entry.h"

#include "base/utf8.h"
#include "wire/json_writer.h"

namespace outrigger::store_redis {
namespace {

// No character cut in two; and what is replaced by U+FFFD grows, so the end is looked at again.
std::string beginning_of(std::string_view entry) {
  const bool cut = entry.size() > kDeadEntryBytes;
  std::string_view front = entry.substr(0, kDeadEntryBytes);
  if (cut) front = front.substr(0, base::complete_prefix(front));
  std::string text = base::to_utf8(front);
  if (text.size() <= kDeadEntryBytes) return text;
  text.resize(kDeadEntryBytes);
  text.resize(base::complete_prefix(text));
  return text;
}

}  // namespace

std::string dead_entry_text(const DeadEntry& dead) {
  wire::JsonWriter writer;
  writer.begin_object();
  writer.key("job_id").text_or_null(dead.job_id);
  writer.key("reason").text(dead.reason);
  writer.key("attempts").number(dead.attempts);
  writer.key("at").timestamp(dead.at);
  writer.key("worker").text(dead.worker);
  writer.key("entry").text(beginning_of(dead.entry));
  writer.key("entry_bytes").number(dead.entry_bytes);
  writer.end_object();
  return writer.take();
}

}  // namespace outrigger::store_redis
