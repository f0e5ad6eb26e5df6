#include "outriggerd/tenancy.h"

#include <unistd.h>

#include <utility>

#include "config/tokens.h"

namespace outrigger::outriggerd {
namespace {

// A token that was revoked opens nothing after this and the moment it takes to read the file.
constexpr std::chrono::milliseconds kLookEvery{400};

}  // namespace

base::Status check_tokens(const config::Config& config) {
  const auto list = tenants::read_tokens(config::tokens_file(config));
  if (!list) return std::unexpected(list.error());
  return config::check_guarded(config, !config.server.tokens.empty() || !list->tokens.empty());
}

base::Result<tenants::TokenFile> open_tokens(const config::Config& config, StateDirs& dirs) {
  const std::filesystem::path path = config::tokens_file(config);
  if (!config.server.tokens_file.empty()) return tenants::TokenFile::open(path);
  return tenants::TokenFile(std::move(dirs.tokens), path);
}

Tenancy::Tenancy(const config::Config& config, tenants::TokenFile file)
    : guard_(config.server.tokens), watch_(std::move(file), guard_) {}

base::Result<std::unique_ptr<Tenancy>> Tenancy::open(const config::Config& config, tenants::TokenFile file) {
  std::unique_ptr<Tenancy> tenancy(new Tenancy(config, std::move(file)));
  if (auto loaded = tenancy->watch_.load(); !loaded) {
    base::Error error = std::move(loaded.error());
    if (error.errno_value == EACCES) {
      error.context += "; the daemon's own user, " + std::to_string(::getuid()) + ", must be able to read it (group " +
                       std::to_string(::getgid()) + ", mode 0640), and to search its directory";
    }
    return std::unexpected(std::move(error));
  }
  if (const auto guarded = config::check_guarded(config, tenancy->guard_.is_guarded()); !guarded) {
    return std::unexpected(guarded.error());
  }
  return tenancy;
}

void Tenancy::start(const boost::asio::any_io_executor& executor) {
  sleeper_.emplace(executor);
  tasks_.emplace(executor);
  tasks_->spawn(watch());
}

boost::asio::awaitable<void> Tenancy::watch() {
  while (!sleeper_->stopped()) {
    co_await sleeper_->sleep(kLookEvery);
    watch_.look();
  }
}

boost::asio::awaitable<void> Tenancy::stop() {
  sleeper_->stop();
  co_await tasks_->join();
}

}  // namespace outrigger::outriggerd
