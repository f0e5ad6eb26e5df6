#include "store_redis/protocol.h"

#include <charconv>

namespace outrigger::store_redis {

void Commands::begin(std::size_t arguments) {
  bytes_ += '*';
  bytes_ += std::to_string(arguments);
  bytes_ += "\r\n";
  ++count_;
}

void Commands::argument(std::string_view bytes) {
  bytes_ += '$';
  bytes_ += std::to_string(bytes.size());
  bytes_ += "\r\n";
  bytes_ += bytes;
  bytes_ += "\r\n";
}

void Commands::add(std::initializer_list<std::string_view> arguments) {
  begin(arguments.size());
  for (const std::string_view one : arguments) argument(one);
}

std::optional<std::string_view> as_text(const redisReply& reply) {
  if (reply.type != REDIS_REPLY_STRING && reply.type != REDIS_REPLY_STATUS) return std::nullopt;
  return std::string_view(reply.str, reply.len);
}

std::optional<std::string_view> as_error(const redisReply& reply) {
  if (reply.type != REDIS_REPLY_ERROR) return std::nullopt;
  return std::string_view(reply.str, reply.len);
}

std::optional<std::int64_t> as_integer(const redisReply& reply) {
  if (reply.type != REDIS_REPLY_INTEGER) return std::nullopt;
  return reply.integer;
}

std::span<redisReply* const> as_elements(const redisReply& reply) {
  if (reply.type != REDIS_REPLY_ARRAY) return {};
  return {reply.element, reply.elements};
}

std::string_view text_at(const redisReply& reply, std::size_t index) {
  const auto elements = as_elements(reply);
  if (index >= elements.size()) return {};
  return as_text(*elements[index]).value_or(std::string_view());
}

std::int64_t integer_at(const redisReply& reply, std::size_t index) {
  const auto elements = as_elements(reply);
  if (index >= elements.size()) return 0;
  if (const auto integer = as_integer(*elements[index])) return *integer;
  const std::string_view digits = text_at(reply, index);
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

}  // namespace outrigger::store_redis
