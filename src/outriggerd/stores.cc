#include "outriggerd/stores.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/ids.h"
#include "base/log.h"
#include "judge0/state.h"
#include "pool/job_records.h"
#include "queue/webhooks.h"
#include "store_postgres/stores.h"
#include "store_redis/redis.h"
#include "store_sqlite/stores.h"
#include "sys/small_file.h"

namespace outrigger::outriggerd {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMaxNode = 48;  // leaves room for what makes a worker's name of it

// The host's name as rows and keys may hold it.
std::string default_node() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  std::string node(name.data());
  node.resize(std::min(node.size(), kMaxNode));
  std::ranges::replace_if(node, [](char c) { return !base::is_tenant_id(std::string_view(&c, 1)); }, '-');
  return node;
}

// This daemon among all that share a queue: the same after a restart, so that it finds its own jobs again, and another
// for a second daemon on this machine.
base::Result<std::string> worker_name(const base::UniqueFd& dir, const std::string& node) {
  static constexpr const char* kFile = "worker";
  if (auto text = sys::read_file_at(dir.get(), kFile); text && base::is_job_id(*text)) return node + "-" + *text;
  const std::string suffix = base::new_job_id().substr(20);
  if (const auto kept = sys::replace_file_at(dir.get(), kFile, suffix, 0640); !kept) {
    return std::unexpected(kept.error());
  }
  return node + "-" + suffix;
}

audit::TrailOptions trail_options(const config::Config& config, const std::string& node) {
  audit::TrailOptions options;
  options.node = node;
  options.sink = config.audit.postgres_url.empty() ? "sqlite" : "postgres";
  options.retention = config.audit.retention;
  options.journal.max_bytes = config.audit.spool_max_bytes;
  options.refuse_when_full = config.audit.refuse_when_full;
  return options;
}

wire::RequestRules request_rules(const config::Config& config) {
  wire::RequestRules rules;
  rules.defaults = config.default_limits;
  rules.ceilings = config.limit_ceilings;
  return rules;
}

store_redis::RedisOptions redis_options(const config::Config& config, const std::string& worker) {
  store_redis::RedisOptions options;
  options.url = config.queue.redis_url;
  options.prefix = config.queue.redis_prefix;
  options.worker = worker;
  options.lease = config.queue.lease;
  options.max_attempts = config.queue.max_attempts;
  return options;
}

// Where several daemons answer, a key must mean the same to all of them.
base::Result<std::unique_ptr<store::IdempotencyStore>> make_keys(const config::Config& config, int queue_dir,
                                                                 const std::string& worker) {
  if (!config.queue.redis_url.empty()) {
    return store_redis::make_redis_idempotency_store(redis_options(config, worker));
  }
  if (!config.audit.postgres_url.empty()) return store::make_postgres_idempotency_store(config.audit.postgres_url);
  return store::make_sqlite_idempotency_store(queue_dir);
}

class NoCallbacks final : public queue::Callbacks {
 public:
  void start(queue::Line&) override {}
  void stop() override {}
  asio::awaitable<void> join() override { co_return; }
  [[nodiscard]] std::string refusal(const std::string&) const override {
    return "callback_url is not taken: this daemon's operator has allowed no host for it (webhook.allow)";
  }
  asio::awaitable<void> prepare(std::string, queue::Callback) override { co_return; }
  void decide(const std::string&, bool) override {}
};

}  // namespace

base::Status check_stores(const config::Config& config) {
  const auto rules = webhook::UrlRules::make(config.webhook.allow, config.webhook.permitted_networks);
  if (!rules) return std::unexpected(rules.error());
  if (config.queue.redis_url.empty()) return {};
  const auto queue = store_redis::make_redis_queue(redis_options(config, "check"));
  if (!queue) return std::unexpected(queue.error());
  return {};
}

base::Result<std::unique_ptr<Stores>> Stores::open(const config::Config& config, StateDirs& dirs) {
  std::unique_ptr<Stores> stores(new Stores());
  stores->audit_dir_ = std::move(dirs.audit);
  stores->queue_dir_ = std::move(dirs.queue);
  stores->node_ = config.node.empty() ? default_node() : config.node;
  auto worker = worker_name(stores->queue_dir_, stores->node_);
  if (!worker) return std::unexpected(worker.error());
  stores->worker_ = std::move(*worker);
  if (!config.audit.enabled) return stores;

  base::UniqueFd spool(::fcntl(stores->audit_dir_.get(), F_DUPFD_CLOEXEC, 3));
  if (!spool) return base::system_error("audit_spool");
  const auto make_store = [&config, dir = stores->audit_dir_.get()] {
    if (config.audit.postgres_url.empty()) return store::make_sqlite_audit_store(dir);
    return store::make_postgres_audit_store(config.audit.postgres_url);
  };
  stores->trail_ = std::make_unique<audit::Trail>(std::move(spool), make_store, trail_options(config, stores->node_));
  auto recovered = stores->trail_->open(pool::stale_cards(dirs.jobs));
  if (!recovered) return std::unexpected(recovered.error());
  stores->recovered_ = std::move(*recovered);
  return stores;
}

base::Status Stores::start_queue(const asio::any_io_executor& executor, const config::Config& config,
                                 pool::ExecutionService& service) {
  queue::DispatcherOptions options;
  options.runner = {request_rules(config), worker_, node_, config.queue.max_attempts, config.queue.result_lifetime};
  options.lease = config.queue.lease;
  std::unique_ptr<store::JobQueue> queue;
  std::unique_ptr<store::Outbox> outbox;
  if (config.queue.redis_url.empty()) {
    options.driver = "embedded";
    queue = store::make_sqlite_queue(queue_dir_.get(), "queue.sqlite",
                                     {worker_, config.queue.lease, config.queue.result_lifetime});
  } else {
    options.driver = "redis";
    auto shared = store_redis::make_redis_queue(redis_options(config, worker_));
    if (!shared) return std::unexpected(shared.error());
    queue = std::move(*shared);
    outbox = store::make_sqlite_outbox(queue_dir_.get());
  }
  if (config.webhook.allow.empty()) {
    callbacks_ = std::make_unique<NoCallbacks>();
  } else {
    auto rules = webhook::UrlRules::make(config.webhook.allow, config.webhook.permitted_networks);
    if (!rules) return std::unexpected(rules.error());
    webhook::CourierOptions courier;
    courier.secret = config.webhook.secret;
    auto webhooks = std::make_unique<queue::Webhooks>(executor, std::move(*rules), std::move(courier),
                                                      store::make_sqlite_outbox(queue_dir_.get(), "callbacks.sqlite"));
    webhooks->translate_by(judge0::callback_body);
    callbacks_ = std::move(webhooks);
  }
  dispatcher_ = std::make_unique<queue::Dispatcher>(executor, service, trail_.get(), std::move(queue),
                                                    std::move(outbox), *callbacks_, std::move(options));
  dispatcher_->start(std::move(recovered_.held));
  return {};
}

base::Status Stores::start(const asio::any_io_executor& executor, const config::Config& config,
                           pool::ExecutionService& service) {
  if (trail_) trail_->start();
  tasks_ = std::make_unique<run::TaskGroup>(executor);
  if (const auto started = start_queue(executor, config, service); !started) return started;
  auto keys = make_keys(config, queue_dir_.get(), worker_);
  if (!keys) return std::unexpected(keys.error());
  keys_ = std::make_unique<api::KeyKeeper>(executor, std::move(*keys));
  tasks_->spawn(keys_->forget());
  return {};
}

api::Services Stores::services(pool::ExecutionService& service) {
  return {service, trail_.get(), dispatcher_.get(), keys_.get()};
}

void Stores::stop_taking() { dispatcher_->stop_taking(); }

asio::awaitable<void> Stores::drain(std::chrono::milliseconds limit) {
  co_await dispatcher_->drain(limit);
  keys_->stop();
  co_await tasks_->join();
}

void Stores::close(std::chrono::milliseconds limit) {
  if (trail_) trail_->stop(limit);
}

}  // namespace outrigger::outriggerd
