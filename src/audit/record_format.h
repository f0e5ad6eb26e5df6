#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "audit/journal.h"

namespace outrigger::audit {

// One record as bytes: its length and CRC-32 (both of what follows them, 32 bits, little-endian), then the kind, the
// job id's length (8 bits), the id, the content.
inline constexpr std::size_t kRecordHead = 8;
inline constexpr std::size_t kMaxRecord = 1U << 20;

std::string encode_record(const Record& record);

struct DecodedRecord {
  Record record;
  std::size_t size = 0;  // in bytes, its head included
};
// The record that `bytes` begin with; nothing where they don't hold a whole and sound one.
std::optional<DecodedRecord> decode_record(std::string_view bytes);

}  // namespace outrigger::audit
