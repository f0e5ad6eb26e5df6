#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "jail/template.h"
#include "sys/message_socket.h"

// What every template does, whatever interpreter it holds (jail/template.h).
namespace outrigger::guest {

class ForkServer {
 public:
  // Of a process that sandbox_init has become in kTemplateMode, single-threaded. Error steps: network_namespaces,
  // start_host.
  static base::Result<ForkServer*> create();  // lives as long as the process, and in each that is forked from it

  // Tells the jailer that it is ready, and forks guests until the jailer is gone: then the process ends. Returns in
  // each forked guest, which stands in its finished jail, sealed, with stdio in place, kControlFd and kLaunchFd open
  // and nothing else. What is left to it is to call announce().
  void serve();

  // In a guest: whether it has time to make itself quicker before its program comes.
  [[nodiscard]] bool has_time() const { return has_time_; }

  // In a guest: tells the daemon that it waits for its launch stream. Allowed nothing more than the guest is.
  void announce();

 private:
  // A jail from its request to the death of its last process.
  struct Jail {
    std::uint32_t sequence = 0;
    pid_t init = -1;
    pid_t guest = -1;
    base::UniqueFd init_pidfd;
    base::UniqueFd mounts;  // jail::hold_mounts
    base::UniqueFd nurse;
    std::size_t network = 0;
    std::vector<base::UniqueFd> fds;  // what came with the request, until the guest has it
    bool cgroup_v2 = false;
    bool warm_up = false;
    bool stands = false;
  };

  ForkServer() = default;
  base::Status prepare();
  bool turn();  // waits once and does what there is to do; true in a forked guest
  void take_request();
  base::Status begin(const jail::TemplateRequest& request, Jail& jail);
  base::Status start_init(const jail::TemplateRequest& request, int nurse, Jail& jail);
  bool on_built(Jail& jail);
  pid_t fork_guest(const Jail& jail);
  void reap();
  void reply(std::uint32_t sequence, jail::Step step, int errno_value, int pidfd = -1);
  base::Result<std::size_t> take_network();
  void enter_guest(const Jail& jail, std::uint64_t init_cpu_ns);

  std::vector<Jail> jails_;
  std::vector<base::UniqueFd> networks_;
  std::vector<std::size_t> free_networks_;
  base::UniqueFd home_network_;
  base::UniqueFd home_pids_;
  base::UniqueFd null_;
  base::UniqueFd deaths_;  // a signalfd
  int listener_ = -1;      // in a guest, until it is announced
  std::uint64_t init_cpu_ns_ = 0;
  bool has_time_ = false;
};

}  // namespace outrigger::guest
