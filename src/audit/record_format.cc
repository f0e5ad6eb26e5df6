#include "audit/record_format.h"

#include <isa-l/crc.h>

#include <cstdint>

namespace outrigger::audit {
namespace {

constexpr std::size_t kFixed = 2;  // kind and the id's length

void put_number(std::string& out, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>((value >> shift) & 0xffU);
}

std::uint32_t get_number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

// The library takes unsigned bytes.
std::uint32_t checksum(std::string_view bytes) {
  return ::crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

bool is_kind(char c) { return std::string_view("BEHKD").find(c) != std::string_view::npos; }

}  // namespace

std::string encode_record(const Record& record) {
  std::string body;
  body.reserve(kFixed + record.job_id.size() + record.content.size());
  body += static_cast<char>(record.kind);
  body += static_cast<char>(record.job_id.size());
  body += record.job_id;
  body += record.content;
  std::string out;
  out.reserve(kRecordHead + body.size());
  put_number(out, static_cast<std::uint32_t>(body.size()));
  put_number(out, checksum(body));
  return out += body;
}

std::optional<DecodedRecord> decode_record(std::string_view bytes) {
  if (bytes.size() < kRecordHead + kFixed) return std::nullopt;
  const std::size_t length = get_number(bytes);
  if (length < kFixed || length > kMaxRecord || bytes.size() - kRecordHead < length) return std::nullopt;
  const std::string_view body = bytes.substr(kRecordHead, length);
  if (checksum(body) != get_number(bytes.substr(4))) return std::nullopt;
  const std::size_t id = static_cast<unsigned char>(body[1]);
  if (!is_kind(body[0]) || body.size() < kFixed + id) return std::nullopt;
  return DecodedRecord{
      {static_cast<RecordKind>(body[0]), std::string(body.substr(kFixed, id)), std::string(body.substr(kFixed + id))},
      kRecordHead + length};
}

}  // namespace outrigger::audit
