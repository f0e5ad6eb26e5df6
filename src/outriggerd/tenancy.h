#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>

#include "base/error.h"
#include "blocking/sleeper.h"
#include "config/config.h"
#include "outriggerd/state_dir.h"
#include "run/task_group.h"
#include "tenants/guard.h"
#include "tenants/token_file.h"
#include "tenants/token_watch.h"

namespace outrigger::outriggerd {

// What is wrong with the tokens file, as this process may read it, or with what it lets in: --check-config's look, and
// the start's, while it is root's.
base::Status check_tokens(const config::Config& config);

// The place of the tokens file, opened while its path can be walked. Takes dirs.tokens where that is the place.
base::Result<tenants::TokenFile> open_tokens(const config::Config& config, StateDirs& dirs);

// Whom the daemon serves, kept at what the tokens file says. Single-threaded.
class Tenancy {
 public:
  // After privileges have been given up: what can be read now can be read later.
  static base::Result<std::unique_ptr<Tenancy>> open(const config::Config& config, tenants::TokenFile file);

  [[nodiscard]] const tenants::Guard& guard() const { return guard_; }
  [[nodiscard]] const tenants::TokenWatch& tokens() const { return watch_; }

  // Looks at the file a few times a second from now on.
  void start(const boost::asio::any_io_executor& executor);
  boost::asio::awaitable<void> stop();

 private:
  Tenancy(const config::Config& config, tenants::TokenFile file);
  boost::asio::awaitable<void> watch();

  tenants::Guard guard_;
  tenants::TokenWatch watch_;
  std::optional<blocking::Sleeper> sleeper_;
  std::optional<run::TaskGroup> tasks_;
};

}  // namespace outrigger::outriggerd
