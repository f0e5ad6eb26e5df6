#pragma once

#include <hiredis/hiredis.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace outrigger::store_redis {

// What is sent in one round trip, in RESP 2: each command an array of strings.
class Commands {
 public:
  // A command whose arguments follow by argument(), exactly so many.
  void begin(std::size_t arguments);
  void argument(std::string_view bytes);
  void add(std::initializer_list<std::string_view> arguments);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::size_t count_ = 0;
};

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Reply = std::unique_ptr<redisReply, FreeReply>;

// What a reply holds; nothing where it is of another type. The views live as long as the reply.
std::optional<std::string_view> as_text(const redisReply& reply);   // a string or a status
std::optional<std::string_view> as_error(const redisReply& reply);  // an error's text: "OOM command not allowed …"
std::optional<std::int64_t> as_integer(const redisReply& reply);    // an integer
std::span<redisReply* const> as_elements(const redisReply& reply);  // an array's; empty for anything else
// The element at `index` as text, empty where there is none or it is nil.
std::string_view text_at(const redisReply& reply, std::size_t index);
// As an integer, 0 where it is none; a string of digits is one.
std::int64_t integer_at(const redisReply& reply, std::size_t index);

}  // namespace outrigger::store_redis
