#include "config/apply_stores.h"

#include <algorithm>

#include "base/ids.h"

namespace outrigger::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

constexpr std::uint32_t kTenYears = 3653;  // days

// Values of these keys are secrets, and no message of refuse() repeats one.
bool is_postgres_url(std::string_view url) {
  return url.starts_with("postgresql://") || url.starts_with("postgres://");
}
bool is_redis_url(std::string_view url) { return url.starts_with("redis://") || url.starts_with("unix://"); }

constexpr std::string_view kPostgresRule = "must begin with postgresql://";
constexpr std::string_view kRedisRule = "must begin with redis:// or unix://";
constexpr std::string_view kNodeRule = "must be 1 to 64 of A-Z a-z 0-9 . _ -";

bool is_prefix(std::string_view text) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, good);
}

void read_audit(TomlSection section, Audit& audit) {
  section.boolean("enabled", audit.enabled);
  std::uint32_t days = 0;
  section.integer<std::uint32_t>("retention_days", 0, kTenYears, days);
  audit.retention = hours{24} * days;
  section.integer<std::uint64_t>("spool_max_bytes", 1U << 20, 1ULL << 40, audit.spool_max_bytes);
  std::string when_full = "run";
  section.text("when_full", when_full);
  if (when_full != "run" && when_full != "refuse") section.refuse("when_full", R"(must be "run" or "refuse")");
  audit.refuse_when_full = when_full == "refuse";
  TomlSection postgres = section.section("postgres");
  postgres.text("url", audit.postgres_url);
  if (!audit.postgres_url.empty() && !is_postgres_url(audit.postgres_url)) postgres.refuse("url", kPostgresRule);
  postgres.finish();
  section.finish();
}

void read_queue(TomlSection section, Queue& queue) {
  section.integer<std::uint32_t>("slots", 1, 1024, queue.slots);
  section.integer<std::uint32_t>("max_attempts", 1, 100, queue.max_attempts);
  section.milliseconds("lease_ms", 1s, 1h, queue.lease);
  std::uint32_t lifetime = static_cast<std::uint32_t>(queue.result_lifetime.count());
  section.integer<std::uint32_t>("result_hours", 1, 24 * kTenYears, lifetime);
  queue.result_lifetime = hours{lifetime};
  TomlSection redis = section.section("redis");
  redis.text("url", queue.redis_url);
  if (!queue.redis_url.empty() && !is_redis_url(queue.redis_url)) redis.refuse("url", kRedisRule);
  redis.text("prefix", queue.redis_prefix);
  if (!is_prefix(queue.redis_prefix)) redis.refuse("prefix", "must be 1 to 64 of A-Z a-z 0-9 _ -");
  redis.finish();
  section.finish();
}

void read_webhook(TomlSection section, Webhook& webhook) {
  section.texts("allow", webhook.allow);
  section.texts("permitted_networks", webhook.permitted_networks);
  section.text("secret", webhook.secret);
  section.finish();
}

}  // namespace

void read_stores(TomlSection& root, Config& config) {
  root.text("node", config.node);
  // It stands in rows, results and the queue's keys.
  if (!config.node.empty() && !base::is_tenant_id(config.node)) root.refuse("node", kNodeRule);
  read_audit(root.section("audit"), config.audit);
  read_queue(root.section("queue"), config.queue);
  read_webhook(root.section("webhook"), config.webhook);
}

base::Status apply_store_environment(Config& config, const Environment& environment) {
  if (const auto name = environment("OUTRIGGER_NODE"); name && !name->empty()) config.node = *name;
  if (const auto url = environment("OUTRIGGER_POSTGRES_URL"); url && !url->empty()) config.audit.postgres_url = *url;
  if (const auto url = environment("OUTRIGGER_REDIS_URL"); url && !url->empty()) config.queue.redis_url = *url;
  if (const auto text = environment("OUTRIGGER_WEBHOOK_SECRET"); text && !text->empty()) config.webhook.secret = *text;
  const auto refuse = [](std::string_view name, std::string_view rule) {
    return base::failure(base::Code::kInvalid, "config", std::string(name) + " " + std::string(rule));
  };
  if (!config.node.empty() && !base::is_tenant_id(config.node)) return refuse("OUTRIGGER_NODE", kNodeRule);
  if (!config.audit.postgres_url.empty() && !is_postgres_url(config.audit.postgres_url)) {
    return refuse("OUTRIGGER_POSTGRES_URL", kPostgresRule);
  }
  if (!config.queue.redis_url.empty() && !is_redis_url(config.queue.redis_url)) {
    return refuse("OUTRIGGER_REDIS_URL", kRedisRule);
  }
  return {};
}

}  // namespace outrigger::config
