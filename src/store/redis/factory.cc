#include <sys/eventfd.h>

#include <algorithm>
#include <utility>

#include "store_redis/idempotency.h"
#include "store_redis/queue.h"
#include "store_redis/redis.h"

namespace outrigger::store_redis {
namespace {

constexpr std::size_t kLongestName = 128;

bool is_name(std::string_view text) {
  static constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-";
  return !text.empty() && text.size() <= kLongestName && text.find_first_not_of(kAllowed) == std::string_view::npos;
}

base::Status refuse(std::string_view rule) { return base::failure(base::Code::kInvalid, "redis_options", rule); }

base::Status check_common(const RedisOptions& options) {
  if (!is_name(options.prefix)) return refuse("the prefix must be 1 to 128 of [A-Za-z0-9._:-]");
  if (options.command_deadline <= std::chrono::milliseconds::zero())
    return refuse("the command deadline must be positive");
  return {};
}

base::Status check_queue(const RedisOptions& options) {
  if (!is_name(options.worker)) return refuse("the worker's name must be 1 to 128 of [A-Za-z0-9._:-]");
  if (options.lease < std::chrono::seconds(1)) return refuse("the lease must be at least 1 s");
  if (options.largest_entry == 0) return refuse("the largest entry must be positive");
  if (options.max_attempts == 0) return refuse("there must be at least one attempt");
  return {};
}

}  // namespace

base::Result<std::unique_ptr<store::JobQueue>> make_redis_queue(RedisOptions options) {
  const auto address = parse_url(options.url);
  if (!address) return std::unexpected(address.error());
  for (const auto& status : {check_common(options), check_queue(options)}) {
    if (!status) return std::unexpected(status.error());
  }
  base::UniqueFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake) return base::system_error("redis_eventfd");
  return std::make_unique<RedisQueue>(std::move(options), *address, std::move(wake));
}

base::Result<std::unique_ptr<store::IdempotencyStore>> make_redis_idempotency_store(RedisOptions options) {
  const auto address = parse_url(options.url);
  if (!address) return std::unexpected(address.error());
  if (const auto status = check_common(options); !status) return std::unexpected(status.error());
  return std::make_unique<RedisIdempotencyStore>(std::move(options), *address);
}

}  // namespace outrigger::store_redis
