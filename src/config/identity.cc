#include "config/identity.h"

#include <pwd.h>

#include <cerrno>
#include <charconv>

namespace outrigger::config {
namespace {

base::Result<Identity> look_up(const std::string& user) {
  std::uint32_t number = 0;
  const auto [end, ec] = std::from_chars(user.data(), user.data() + user.size(), number);
  if (ec == std::errc{} && end == user.data() + user.size()) return Identity{number, number};
  errno = 0;
  const passwd* entry = ::getpwnam(user.c_str());  // NOLINT(concurrency-mt-unsafe): before any thread is started
  if (entry == nullptr) {
    return base::failure(base::Code::kNotFound, "user",
                         "there is no user \"" + user + "\"; create it, or leave user out");
  }
  return Identity{entry->pw_uid, entry->pw_gid};
}

}  // namespace

base::Result<Identity> resolve_identity(const Config& config) {
  Identity identity{config.jail.uid_base - 1, config.jail.uid_base - 1};
  if (!config.user.empty()) {
    auto found = look_up(config.user);
    if (!found) return found;
    identity = *found;
  }
  if (identity.uid == 0 || identity.gid == 0) {
    return base::failure(base::Code::kInvalid, "user",
                         "the daemon must not run as root or in its group; choose another user");
  }
  const std::uint64_t first = config.jail.uid_base;
  const std::uint64_t end = first + kJailIds;
  const auto in_range = [&](std::uint64_t id) { return id >= first && id < end; };
  if (in_range(identity.uid) || in_range(identity.gid)) {
    return base::failure(base::Code::kInvalid, "user",
                         "the daemon's id lies among the jails'; choose another user or jail.uid_base");
  }
  return identity;
}

}  // namespace outrigger::config
