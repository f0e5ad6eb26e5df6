// The order of the start. Each step has its reason to stand where it does.
//   1. Runtimes are read: by path, and while root may read them.
//   2. The state directories are made, locked and opened: their paths may not be reachable for the daemon's own user.
//   3. Keeper and jailer are started: they need root as long as they live, this process no threads and no network yet.
//   4. The socket is bound: a low port needs root. Where that is, is told in a file whose place is root's.
//   5. Limits are set: raising them needs root.
//   6. Root is given up for good, and the way back tried.
//   7. What an earlier process left is read, and threads are started.
//   8. Only now is anything read that a client has sent.
#include "outriggerd/startup.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdio>

#include "api/server.h"
#include "base/log.h"
#include "config/paths.h"
#include "jailer/start.h"
#include "outriggerd/daemon.h"
#include "outriggerd/privileges.h"
#include "outriggerd/process_setup.h"
#include "outriggerd/state_dir.h"
#include "outriggerd/stores.h"
#include "outriggerd/tenancy.h"
#include "pool/make_pool.h"
#include "run/template_files.h"
#include "runtime/registry.h"
#include "sys/small_file.h"
#include "wire/daemon_card.h"

namespace outrigger::outriggerd {
namespace {

// A connection takes one descriptor, a job some ten; the rest is for files and the event loop.
constexpr std::uint64_t kDescriptorsPerJob = 32;
constexpr std::uint64_t kOwnDescriptors = 256;

int fail(const base::Error& error, const std::string& advice) {
  complain(error.text() + (advice.empty() ? "" : "; " + advice));
  return 1;
}

// Those that run, and those that are kept ready.
std::uint32_t most_jails(const config::Config& config, const std::vector<model::InstalledRuntime>& runtimes) {
  std::uint32_t jails = config.pool.slots;
  for (const model::InstalledRuntime& each : runtimes) jails += each.runtime.primed.max;
  return jails;
}

base::Result<jailer::Started> start_jailer(const config::Config& config,
                                           const std::vector<model::InstalledRuntime>& runtimes) {
  jailer::StartOptions options;
  options.program = (config::executable_directory() / "outrigger-jailer").string();
  options.sandbox_init = (config::executable_directory() / "sandbox_init").string();
  options.uid_base = config.jail.uid_base;
  options.slots = most_jails(config, runtimes);
  options.cgroup_root = config.jail.cgroup_root;
  options.ceilings = config.limit_ceilings;
  for (const model::InstalledRuntime& each : runtimes) {
    if (each.image_path.empty()) continue;
    options.runtimes.push_back(each);
    if (config.pool.primed_memory_bytes == 0) continue;
    auto files = run::template_files(each.runtime, config::executable_directory().string());
    if (!files) return std::unexpected(files.error());
    options.templates.push_back(std::move(*files));
  }
  return jailer::start(options);
}

void warn_of_missing_images(const std::vector<model::InstalledRuntime>& runtimes) {
  for (const model::InstalledRuntime& each : runtimes) {
    if (!each.image_path.empty() || each.runtime.on_demand) continue;
    base::log(base::Level::kWarn, "runtime_unavailable",
              {{"runtime", each.runtime.name},
               {"image", each.runtime.image},
               {"remedy", "outrigger runtime build " + each.runtime.name}});
  }
}

api::Options api_options(const config::Config& config) {
  api::Options options;
  options.version = OUTRIGGER_VERSION;
  options.default_limits = config.default_limits;
  options.limit_ceilings = config.limit_ceilings;
  options.http.header_timeout = config.server.header_timeout;
  options.http.body_timeout = config.server.body_timeout;
  options.http.idle_timeout = config.server.idle_timeout;
  options.http.max_connections = config.server.max_connections;
  return options;
}

pool::PoolOptions pool_options(const config::Config& config, StateDirs& dirs, Stores& stores,
                               const tenants::Guard& guard) {
  pool::PoolOptions options;
  options.run_log = stores.run_log();
  options.unreported = stores.take_unreported();
  options.most_of_tenant = [&guard](std::string_view tenant) { return guard.quotas(tenant).concurrent; };
  options.slots = config.pool.slots;
  options.acquire_timeout = config.pool.acquire_timeout;
  options.max_waiting = config.pool.max_waiting;
  options.queued_slots =
      config.queue.slots > 0 ? std::min(config.queue.slots, config.pool.slots) : (config.pool.slots * 3 + 3) / 4;
  options.default_limits = config.default_limits;
  options.primed_memory_bytes = config.pool.primed_memory_bytes;
  options.compile_cache_bytes = config.compile.cache_bytes;
  options.jobs_dir = std::move(dirs.jobs);
  options.terminations_dir = std::move(dirs.terminations);
  return options;
}

// For the auditor, who needs the address to pause dispatch and may have no other way to know it.
base::Status tell_where(const StateDirs& dirs, const std::string& address, const std::string& driver,
                        const std::string& cgroup_root) {
  const wire::DaemonCard card{static_cast<std::uint64_t>(::getpid()), OUTRIGGER_VERSION, address, driver, cgroup_root,
                              std::chrono::system_clock::now()};
  return sys::replace_file_at(dirs.run.get(), "outriggerd.json", wire::daemon_card_json(card), 0644);
}

std::string text_of(const boost::asio::ip::tcp::acceptor& listener) {
  boost::system::error_code ec;
  const auto endpoint = listener.local_endpoint(ec);
  const std::string address = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(endpoint.port());
}

}  // namespace

void complain(const std::string& sentence) {
  const std::string line = "outriggerd: " + sentence + "\n";
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

int serve(const config::Config& config) {
  if (::geteuid() != 0) {
    complain("building jails needs root; start it as root, it gives that up before it serves");
    return 1;
  }
  const auto identity = config::resolve_identity(config);
  if (!identity) return fail(identity.error(), "");
  auto runtimes = runtime::load_all(config.paths.runtimes_dir, config.paths.images_dir);
  if (!runtimes) return fail(runtimes.error(), "see --runtimes-dir and docs/runtimes.md");
  for (model::InstalledRuntime& each : *runtimes) {
    const auto loaded = run::load_prelude_library(each.runtime, config::executable_directory().string());
    if (!loaded) return fail(loaded.error(), "build or install it beside outriggerd");
  }
  warn_of_missing_images(*runtimes);
  auto dirs = prepare_state_dirs(config.paths, *identity);
  if (!dirs) return fail(dirs.error(), dirs.error().code == base::Code::kConflict ? "" : "choose another --state-dir");
  auto tokens = open_tokens(config, *dirs);
  if (!tokens) return fail(tokens.error(), "the directory of server.tokens_file must be there");
  auto jailer = start_jailer(config, *runtimes);
  if (!jailer) return fail(jailer.error(), "the jailer could not start; outrigger doctor says what this machine lacks");
  base::UniqueFd keeper_pidfd(::fcntl(jailer->keeper_pidfd.get(), F_DUPFD_CLOEXEC, 3));
  if (!keeper_pidfd) return fail(base::system_error("watch_keeper").error(), "");
  const std::uint64_t jails = most_jails(config, *runtimes);
  const std::string driver = jailer->cgroup_driver;
  const std::string cgroup_root = jailer->cgroup_root;

  ignore_broken_pipes();
  ask_for_short_slices();
  boost::asio::io_context context(1);
  auto listener = httpd::open_listener(context, config.server.host, config.server.port);
  if (!listener) return fail(listener.error(), "is another program listening there? choose another --listen");
  if (const auto told = tell_where(*dirs, text_of(*listener), driver, cgroup_root); !told) {
    return fail(told.error(), "");
  }
  const auto limited =
      set_resource_limits(config.server.max_connections + kDescriptorsPerJob * jails + kOwnDescriptors);
  if (!limited) return fail(limited.error(), "lower server.max_connections or pool.slots");
  if (const auto dropped = drop_privileges(*identity); !dropped) {
    return fail(dropped.error(), "it will not serve with more rights than it needs");
  }
  const std::string address = text_of(*listener);
  auto tenancy = Tenancy::open(config, std::move(*tokens));
  if (!tenancy) return fail(tenancy.error(), "");
  auto stores = Stores::open(config, *dirs);
  if (!stores) return fail(stores.error(), "");
  auto pool = pool::make_pool(context, std::move(*jailer), std::move(*runtimes),
                              pool_options(config, *dirs, **stores, (*tenancy)->guard()));
  if (const auto started = (*stores)->start(context.get_executor(), config, *pool); !started) {
    return fail(started.error(), "");
  }
  (*tenancy)->start(context.get_executor());
  Daemon daemon(context, {std::move(pool), std::move(*stores), std::move(*tenancy)}, std::move(*listener),
                api_options(config), std::move(keeper_pidfd), config.server.shutdown_grace);
  base::log(base::Level::kInfo, "listening",
            {{"address", address},
             {"driver", driver},
             {"cgroup_root", cgroup_root},
             {"slots", std::to_string(config.pool.slots)},
             {"version", OUTRIGGER_VERSION}});
  return daemon.run();
}

}  // namespace outrigger::outriggerd
