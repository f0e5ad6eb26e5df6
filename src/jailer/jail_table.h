#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "jail/cgroup_driver.h"
#include "jailer/id_ranges.h"
#include "jailer/network_namespaces.h"
#include "jailer/protocol.h"
#include "jailer/spawn.h"
#include "jailer/templates.h"

namespace outrigger::jailer {

// All jails that exist, and what each holds: its host ids, its groups, its pid 1. Ids and groups are free again only
// when nothing of the jail is left.
class JailTable {
 public:
  struct Settings {
    Begin limits;
    std::uint64_t first_handle = 1;
    base::UniqueFd sandbox_init;
    std::vector<base::UniqueFd> filters;  // one a runtime
    IdRanges ids;
    NetworkNamespaces networks;  // one a slot
  };
  struct Built {
    std::uint64_t handle = 0;
    base::UniqueFd pidfd;  // of its pid 1
    JailEnds ends;
    sys::GroupDirs group;
  };
  // A jail that was asked of a template.
  struct Forked {
    std::uint32_t sequence = 0;  // of the request
    base::Result<Built> built;
  };
  struct Destroyed {
    std::uint64_t handle = 0;
    base::Status removed;
    base::UniqueFd mounts;
  };

  JailTable(Settings settings, std::unique_ptr<jail::CgroupDriver> cgroups, std::unique_ptr<Templates> templates);

  // Nothing where a template is to fork it: then take_forked() brings it. Error steps: check_request, host_ids,
  // network_namespaces, make_cgroup, limit_cgroup, template and spawn_jail's.
  base::Result<std::optional<Built>> build(const Request& request);
  std::vector<Forked> take_forked();
  void kill(std::uint64_t handle);
  // A quota that can't be set ends the jail: nothing runs with less than its limits.
  void arm(const Request& request);
  // Kills what lives and marks the jail for removal; progress() finishes it.
  bool begin_destroy(std::uint64_t handle);

  // Advances every jail being destroyed and returns those that are gone.
  std::vector<Destroyed> progress();
  // What to wait for: the templates' sockets, and the pidfds of jails being destroyed. A jail whose groups are still
  // busy after its last death needs another try soon instead: then `retry_soon` is set.
  std::vector<int> descriptors(bool& retry_soon) const;

  // Kills and removes all jails, waiting for each.
  void shut_down();

 private:
  struct Entry {
    std::string name;  // of the group: the job's id
    std::uint32_t slot = 0;
    base::UniqueFd pidfd;
    base::UniqueFd mounts;  // let go when all else is done and said
    std::vector<base::UniqueFd> group_locks;
    std::optional<Templates::Id> made_by;  // its pid 1 is the template's child, which reaps it
    bool destroying = false;
    bool dead = false;
    int removal_attempts = 0;
  };
  // Asked of a template, not there yet: what its builder will get.
  struct Awaited {
    std::uint32_t sequence = 0;  // the daemon's
    Entry entry;
    JailEnds ends;
    sys::GroupDirs group;
  };

  bool quota_is_allowed(std::uint64_t micros) const;
  base::Status check(const Request& request) const;
  base::Result<Built> spawn(const Request& request, std::uint32_t slot);
  base::Status ask_template(const Request& request, std::uint32_t slot);
  base::Status send_to(const Templates::Chosen& chosen, const Request& request, std::uint32_t slot,
                       const jail::Group& group, Awaited& awaited);
  Forked finish(Awaited awaited, base::Result<base::UniqueFd> pidfd);
  void give_up(Awaited awaited);
  Built add(Entry entry, base::UniqueFd pidfd, JailEnds ends, sys::GroupDirs group);
  static bool reap(Entry& entry);
  // True when nothing is left of it, or when removal failed for good (told in `status`).
  bool advance(Entry& entry, base::Status& status);
  void kill(Entry& entry);

  Settings settings_;
  std::unique_ptr<jail::CgroupDriver> cgroups_;
  std::unique_ptr<Templates> templates_;
  std::map<std::uint64_t, Entry> entries_;
  std::map<std::uint32_t, Awaited> awaited_;  // by the sequence of the template's request
  std::uint32_t next_sequence_ = 1;
  std::vector<std::uint32_t> free_slots_;
  std::uint64_t next_handle_;
};

}  // namespace outrigger::jailer
