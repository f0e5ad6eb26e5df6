#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "jail/cgroup_driver.h"
#include "jail/template.h"
#include "sys/process.h"

namespace outrigger::jailer {

// What the templates of a runtime are made of.
struct TemplateDefinition {
  std::uint32_t image = 0;
  int filter = -1;              // a sealed memfd; not owned
  base::UniqueFd host;          // the library that makes a template of its program
  base::UniqueFd launch;        // a memfd with its launch stream
  std::uint32_t max_jails = 0;  // after so many, or when it is so old, another takes its place
  std::chrono::seconds max_age{0};
};

struct TemplateStart {
  int sandbox_init = -1;
  std::uint32_t host_id = 0;  // that its root is
  std::string id_map;         // that, and the ids of jails
};

// A running template (jail/template.h) as the jailer sees it, in a control group of its own.
class TemplateProcess {
 public:
  // Starts it; whether it gets ready comes by receive(). Error steps: make_cgroup, limit_cgroup, template (sockets),
  // clone, exec_init, write_maps, send_plan.
  static base::Result<TemplateProcess> start(const TemplateDefinition& definition, const TemplateStart& start,
                                             jail::CgroupDriver& cgroups);

  [[nodiscard]] int socket() const { return socket_.get(); }
  [[nodiscard]] int pidfd() const { return child_.pidfd.get(); }
  [[nodiscard]] std::uint32_t host_id() const { return host_id_; }

  struct Word {
    jail::TemplateReply reply;
    base::UniqueFd pidfd;  // with a reply that brings a jail
  };
  // The next thing it has to say. An error: it is gone, or speaks nonsense; a step that failed while it was made has
  // that step's name.
  base::Result<Word> receive();
  base::Status send(const jail::TemplateRequest& request, std::span<const int> fds);

  // SIGKILL; all its jails end with it.
  void kill();
  // Reaps it and removes its group; true once nothing is left.
  bool finish(jail::CgroupDriver& cgroups);
  [[nodiscard]] bool reaped() const { return reaped_; }

 private:
  base::UniqueFd socket_;
  sys::Child child_;
  std::string group_;
  std::vector<base::UniqueFd> group_locks_;
  std::uint32_t host_id_ = 0;
  bool reaped_ = false;
};

}  // namespace outrigger::jailer
