#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"
#include "jailer/start.h"
#include "model/limits.h"
#include "sys/cgroup.h"

namespace outrigger::jailer {

struct Reply;
struct Request;

// A jail as the daemon holds it: nothing in it ran a caller's byte yet, and it is still building itself. What happens
// to it comes over `control` (jail/plan.h).
struct Jail {
  std::uint64_t handle = 0;
  std::string job_id;
  base::UniqueFd control;
  base::UniqueFd launch;
  base::UniqueFd stdin_end;
  base::UniqueFd stdout_end;
  base::UniqueFd stderr_end;
  base::UniqueFd pidfd;  // readable when nothing of the jail lives any more
  sys::GroupDirs group;
  std::string cgroup_path;
};

// Whether a jail's guest is forked from the runtime's template. Then it waits, its interpreter started, as soon as the
// jail is ready; the error step is template (or one of its making) where none can do it now.
enum class Fork {
  kNo,
  kYes,
  kWarmUp,  // and does once what every program does, so that its own is quicker: for one that is not awaited yet
};

// What a jail's guest has as stdin, stdout and stderr. A terminal is the guest's controlling one; its master comes over
// `control`, and the pipes then have nobody at their other ends. Not of a guest that is forked.
enum class Stdio { kPipes, kTerminal };

// The daemon's end of the jailer, and of each that its keeper starts when one has died. Handles know their jailer: what
// is asked of a jail that died with an earlier one is done already, and never reaches another. Single-threaded; all
// calls from the executor's thread. Requests may be many at a time.
class Client {
 public:
  Client(const boost::asio::any_io_executor& executor, Started started);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  // `runtime` is the index among StartOptions::runtimes. Errors: the failing step's, or kJailerDied.
  boost::asio::awaitable<base::Result<Jail>> build(std::string job_id, std::uint32_t runtime, model::Limits limits,
                                                   Fork fork, Stdio stdio = Stdio::kPipes);
  // Whether a runtime has templates.
  [[nodiscard]] bool forks(std::uint32_t runtime) const {
    return runtime < started_.forks.size() && started_.forks[runtime];
  }
  // Another CPU bandwidth than the jail has: at most the ceiling, or one core where that is less. Returns at once; what
  // is sent to the jail after is read by it under the new one, give or take the jailer's wake-up.
  void arm(std::uint64_t handle, double cpu_cores);
  // SIGKILL to all of the jail, unthrottled. Returns at once.
  void kill(std::uint64_t handle);
  // As destroy(), for a jail nobody waits for.
  void discard(std::uint64_t handle);
  // Resolves when nothing is left of the jail: no process, no group.
  boost::asio::awaitable<base::Status> destroy(std::uint64_t handle);

  // Whether a jailer serves, as far as has been heard.
  [[nodiscard]] bool alive() const { return alive_; }
  // Whether the jailer that made this jail lives, by the kernel's word: false already when the first of its jails is
  // seen to have died with it.
  [[nodiscard]] bool lives(std::uint64_t handle) const;
  // While none serves: why, in words for everybody; else empty.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  // Called when the jailer has died, when another serves, and when there will be none any more.
  void on_change(std::function<void()> observer) { on_change_ = std::move(observer); }
  [[nodiscard]] const std::string& cgroup_driver() const { return started_.cgroup_driver; }

  // Reads replies, from one jailer after the other, until the keeper is gone or close() is called; to be spawned once,
  // and waited for.
  boost::asio::awaitable<void> run();
  // Ends the jailer, every jail and the keeper; resolves when both processes have ended.
  boost::asio::awaitable<void> close();

 private:
  struct Pending;
  boost::asio::awaitable<base::Result<std::shared_ptr<Pending>>> call(Request request);
  base::Status send(const Request& request);
  bool is_current(std::uint64_t handle) const;
  void read_replies();
  void hear_of_death();
  void lose_jailer();
  boost::asio::awaitable<bool> await_jailer();
  void take(Serving jailer);

  boost::asio::any_io_executor executor_;
  Started started_;
  boost::asio::posix::stream_descriptor keeper_;
  boost::asio::posix::stream_descriptor socket_;
  std::map<std::uint32_t, std::shared_ptr<Pending>> pending_;
  std::uint32_t next_sequence_ = 1;
  bool alive_ = true;
  bool closing_ = false;
  std::string trouble_;
  std::function<void()> on_change_;
};

}  // namespace outrigger::jailer
