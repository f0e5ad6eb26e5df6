#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "jail/cgroup_driver.h"
#include "jailer/id_ranges.h"
#include "jailer/template_process.h"

namespace outrigger::jailer {

// The templates of all runtimes that have one: which serves, its successor while that gets ready, and those that only
// wait for the last of their jails. What a fork can't make anew (the secret of string hashes, the address layout) is
// one for all jails of a template: so it is replaced by count and age.
class Templates {
 public:
  struct Settings {
    std::vector<std::optional<TemplateDefinition>> definitions;  // by runtime
    int sandbox_init = -1;
    IdRanges ids;             // the templates' own
    std::string jail_id_map;  // lines for the maps: all ids of jails, from jail::kFirstJailId on
  };
  using Id = std::uint64_t;

  // What a template had to say: a jail, or why there is none; or (no sequence) that it is gone with all its jails.
  struct Event {
    Id template_id = 0;
    std::optional<std::uint32_t> sequence;
    base::Result<base::UniqueFd> pidfd;
  };

  Templates(Settings settings, jail::CgroupDriver& cgroups) : settings_(std::move(settings)), cgroups_(cgroups) {}

  // Starts one for each runtime: choose() has none before they are ready. Error steps: the failing step's, template.
  base::Status start_all();
  // Then waits until all are ready. Error steps as above.
  base::Status await_all();

  struct Chosen {
    Id id = 0;
    std::uint32_t host_id = 0;
  };
  // The one that serves a runtime, counted as used once more; starts a successor when it has served long enough.
  // Error step: template, where none is ready.
  base::Result<Chosen> choose(std::uint32_t runtime);
  base::Status send(Id id, const jail::TemplateRequest& request, std::span<const int> fds);
  // A jail it made is gone, or was never made.
  void release(Id id);

  // Descriptors to wait for, and what they bring. `retry_soon` is set where a group is still busy after the last death.
  std::vector<int> descriptors(bool& retry_soon) const;
  std::vector<Event> take_events();

  // Kills them, and so every jail of theirs, and removes what is left.
  void shut_down();

 private:
  enum class State { kStarting, kServing, kRetiring, kDying };
  struct Entry {
    Id id;
    std::uint32_t runtime;
    State state;
    TemplateProcess process;
    std::uint32_t slot;  // of its own id
    std::uint32_t live = 0;
    std::uint32_t served = 0;
    std::chrono::steady_clock::time_point born;
  };

  base::Status start(std::uint32_t runtime);
  Entry* find(std::uint32_t runtime, State state);
  Entry* find(Id id);
  void on_ready(Entry& entry);
  void on_death(Entry& entry, const base::Error& error);
  void retire_if_done(Entry& entry);
  void bury();

  Settings settings_;
  jail::CgroupDriver& cgroups_;
  std::list<Entry> entries_;
  Id next_id_ = 1;
  std::chrono::steady_clock::time_point not_before_;  // after a failed start
};

}  // namespace outrigger::jailer
