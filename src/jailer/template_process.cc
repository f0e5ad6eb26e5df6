#include "jailer/template_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/ids.h"
#include "jail/init_process.h"
#include "jailer/spawn.h"
#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

// Of its own and the jails' it is building; a job's memory is never charged to it.
constexpr std::uint64_t kMemoryBytes = 2ULL << 30;
constexpr std::uint64_t kTasks = 256;
constexpr std::uint64_t kScratchBytes = 16ULL << 20;
constexpr std::uint64_t kScratchInodes = 4096;

jail::Plan plan_of(const TemplateDefinition& definition, const jail::Group& group) {
  jail::Plan plan;
  plan.image = definition.image;
  plan.cgroup_fds = static_cast<std::uint32_t>(group.join_files.size());
  plan.tmpfs_bytes = plan.shm_bytes = kScratchBytes;
  plan.tmpfs_inodes = kScratchInodes;
  return plan;
}

base::Result<sys::Child> clone_template(const TemplateDefinition& definition, const TemplateStart& start,
                                        const jail::Group& group, int socket) {
  // Each template reads its launch stream from the beginning.
  if (::lseek(definition.launch.get(), 0, SEEK_SET) != 0) return base::system_error("template", "launch stream");
  std::vector<int> fds{STDIN_FILENO,      STDOUT_FILENO,         STDERR_FILENO,     socket, definition.launch.get(),
                       definition.filter, definition.host.get(), start.sandbox_init};
  for (const base::UniqueFd& fd : group.join_files) fds.push_back(fd.get());
  return jail::start_init({start.sandbox_init, jail::kTemplateMode, fds, group.clone_into()});
}

}  // namespace

base::Result<TemplateProcess> TemplateProcess::start(const TemplateDefinition& definition, const TemplateStart& start,
                                                     jail::CgroupDriver& cgroups) {
  TemplateProcess started;
  started.host_id_ = start.host_id;
  started.group_ = "template-" + base::new_job_id();
  auto group = cgroups.make(started.group_, {kMemoryBytes, kTasks, jail::kNoCpuQuota});
  if (!group) return std::unexpected(group.error());
  auto sockets = sys::socket_pair(SOCK_SEQPACKET);
  auto child = sockets ? clone_template(definition, start, *group, sockets->second.get())
                       : base::Result<sys::Child>(base::system_error("template", "socketpair"));
  if (!child) {
    (void)cgroups.remove(started.group_);
    return std::unexpected(child.error());
  }
  const jail::Plan plan = plan_of(definition, *group);
  base::Status status = jail::write_id_maps(child->pid, start.id_map);
  if (status) status = sys::send_message(sockets->first.get(), std::as_bytes(std::span(&plan, 1)));
  if (!status) {
    end_at_once(*child);
    (void)cgroups.remove(started.group_);
    return std::unexpected(status.error());
  }
  started.socket_ = std::move(sockets->first);
  started.child_ = std::move(*child);
  started.group_locks_ = std::move(group->locks);
  return started;
}

base::Result<TemplateProcess::Word> TemplateProcess::receive() {
  // A reply, or the report of a step that failed before the host was there to speak.
  static_assert(sizeof(jail::Report) > sizeof(jail::TemplateReply));
  std::array<std::byte, sizeof(jail::Report)> message{};
  auto received = sys::receive_message(socket_.get(), message);
  if (!received) return std::unexpected(received.error());
  if (received->size == sizeof(jail::Report)) {
    jail::Report report;
    std::memcpy(&report, message.data(), sizeof report);
    return base::system_error(jail::step_name(report.step), "template", report.errno_value);
  }
  Word word;
  if (received->size != sizeof word.reply) return base::failure(base::Code::kInternal, "template", "it has ended");
  std::memcpy(&word.reply, message.data(), sizeof word.reply);
  if (!received->fds.empty()) word.pidfd = std::move(received->fds.front());
  return word;
}

base::Status TemplateProcess::send(const jail::TemplateRequest& request, std::span<const int> fds) {
  return sys::send_message(socket_.get(), std::as_bytes(std::span(&request, 1)), fds);
}

void TemplateProcess::kill() { (void)sys::send_signal(child_.pidfd.get(), SIGKILL); }

bool TemplateProcess::finish(jail::CgroupDriver& cgroups) {
  if (!reaped_) {
    const auto status = sys::reap(child_.pidfd.get());
    if (status && !*status) return false;
    reaped_ = true;
  }
  const base::Status removed = cgroups.remove(group_);
  return removed || removed.error().errno_value != EBUSY;
}

}  // namespace outrigger::jailer
