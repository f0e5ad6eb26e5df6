#include "probe/members.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "probe/parse_proc.h"
#include "sys/small_file.h"

namespace outrigger::probe {
namespace {

std::string proc_file(pid_t pid, const char* name) { return "/proc/" + std::to_string(pid) + "/" + name; }

// Nothing, and errno, where the kernel does not show it.
std::optional<std::uint64_t> namespace_of(const std::string& link) {
  char target[64];
  const ssize_t length = ::readlink(link.c_str(), target, sizeof target);
  if (length < 0) return std::nullopt;
  errno = EINVAL;  // what it is if the text is no namespace's
  return parse_namespace({target, static_cast<std::size_t>(length)});
}

bool is_gone(int error) { return error == ENOENT || error == ESRCH; }

struct Looked {
  MemberList list;
  std::vector<Member> members;
};

void look_at(pid_t pid, Looked& looked) {
  // A process of a namespace that ours is not above: its number is hidden, and so is all of it.
  if (pid == 0) {
    ++looked.list.count;
    looked.list.namespaces_known = false;
    return;
  }
  Member member{pid};
  const auto its = namespace_of(proc_file(pid, "ns/pid"));
  const bool refused = !its && !is_gone(errno);
  const auto status = sys::read_file_at(AT_FDCWD, proc_file(pid, "status").c_str());
  if (!status && is_gone(status.error().errno_value)) return;
  ++looked.list.count;
  if (refused) looked.list.namespaces_known = false;
  if (!its) return;
  member.pid_namespace = *its;
  if (const auto nspid = status ? parse_nspid(*status) : std::nullopt) {
    member.depth = nspid->depth;
    member.innermost = nspid->innermost;
  }
  looked.members.push_back(member);
}

base::Result<std::vector<pid_t>> pids_of(int dir) {
  const auto text = sys::read_file_at(dir, "cgroup.procs");
  if (text) return parse_pids(*text);
  const int error = text.error().errno_value;
  if (error != ENOENT && error != ENODEV) return std::unexpected(text.error());
  return base::failure(base::Code::kNotFound, "read_members", "the group is gone");
}

// The namespace the jailed are in, if any of them is in another than ours.
std::optional<std::uint64_t> jail_namespace(std::span<const Member> members, std::uint64_t ours) {
  const Member* init = nullptr;
  std::map<std::uint64_t, std::size_t> counts;
  for (const Member& member : members) {
    if (member.pid_namespace == ours) continue;
    ++counts[member.pid_namespace];
    if (member.innermost == 1 && (init == nullptr || member.depth < init->depth)) init = &member;
  }
  if (init != nullptr) return init->pid_namespace;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() ? std::nullopt : std::optional(most->first);
}

}  // namespace

std::vector<pid_t> outside_of(std::span<const Member> members, std::uint64_t ours) {
  const auto jail = jail_namespace(members, ours);
  std::vector<pid_t> outside;
  for (const Member& member : members) {
    if (member.pid_namespace != jail) outside.push_back(member.pid);
  }
  return outside;
}

base::Result<MemberList> read_members(const Group& group) {
  const auto dir = group.open_directory(sys::Controller::kMemory);
  if (!dir) return std::unexpected(dir.error());
  const auto pids = pids_of(dir->get());
  if (!pids) return std::unexpected(pids.error());
  Looked looked;
  for (const pid_t pid : *pids) look_at(pid, looked);
  const auto ours = namespace_of("/proc/self/ns/pid");
  if (!ours) {
    looked.list.namespaces_known = false;
    return looked.list;
  }
  looked.list.outside = outside_of(looked.members, *ours);
  if (looked.list.outside.empty()) return looked.list;
  // A member may have ended, and a stranger been given its number, before we looked at it.
  const auto still = pids_of(dir->get());
  if (!still) return std::unexpected(still.error());
  std::erase_if(looked.list.outside, [&](pid_t pid) { return std::ranges::find(*still, pid) == still->end(); });
  return looked.list;
}

}  // namespace outrigger::probe
