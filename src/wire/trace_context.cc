#include "wire/trace_context.h"

#include <algorithm>

#include "digest/digest.h"

namespace outrigger::wire {
namespace {

constexpr std::size_t kVersion = 2;
constexpr std::size_t kTraceId = 32;
constexpr std::size_t kParentId = 16;
constexpr std::size_t kFlags = 2;
constexpr std::size_t kLength = kVersion + 1 + kTraceId + 1 + kParentId + 1 + kFlags;

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_zero(std::string_view text) { return text.find_first_not_of('0') == std::string_view::npos; }

// The field at the text's beginning, and the dash behind it, taken from the text; empty where it is no such field.
std::string_view take(std::string_view& text, std::size_t length) {
  const std::string_view field = text.substr(0, length);
  const bool closed = text.size() == length || (text.size() > length && text[length] == '-');
  text.remove_prefix(std::min(length + 1, text.size()));
  return closed && is_hex(field) ? field : std::string_view();
}

}  // namespace

std::optional<TraceContext> parse_traceparent(std::string_view text) {
  if (text.size() < kLength) return std::nullopt;
  const bool longer = text.size() > kLength;
  const std::string_view version = take(text, kVersion);
  const std::string_view trace_id = take(text, kTraceId);
  const std::string_view parent_id = take(text, kParentId);
  const std::string_view flags = take(text, kFlags);
  if (version.empty() || version == "ff" || (version == "00" && longer)) return std::nullopt;
  if (trace_id.empty() || parent_id.empty() || flags.empty()) return std::nullopt;
  if (is_zero(trace_id) || is_zero(parent_id)) return std::nullopt;
  return TraceContext{std::string(trace_id), std::string(parent_id), std::string(flags)};
}

std::string span_id_of(std::string_view job_id) { return digest::sha256_hex(job_id).substr(0, kParentId); }

std::string traceparent_of(const TraceContext& context, std::string_view job_id) {
  // Of the flags only "sampled" is known to version 00.
  const bool sampled = std::string_view("13579bdf").find(context.flags.back()) != std::string_view::npos;
  return "00-" + context.trace_id + "-" + span_id_of(job_id) + (sampled ? "-01" : "-00");
}

std::string good_traceparent(std::string_view text) {
  return parse_traceparent(text) ? std::string(text) : std::string();
}

std::string trace_id_of(std::string_view traceparent) {
  const auto context = parse_traceparent(traceparent);
  return context ? context->trace_id : std::string();
}

}  // namespace outrigger::wire
