#include "cli/probe.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "jail/plan.h"
#include "sys/small_file.h"

namespace outrigger::cli {
namespace {

std::string map_of(std::uint32_t first_host_id) {
  return std::to_string(jail::kInitId) + " " + std::to_string(first_host_id) + " 1\n" + std::to_string(jail::kGuestId) +
         " " + std::to_string(first_host_id + 1) + " 1\n";
}

base::Status write_maps(pid_t pid, std::uint32_t first_host_id) {
  const std::string directory = "/proc/" + std::to_string(pid) + "/";
  for (const char* name : {"uid_map", "gid_map"}) {
    const auto written = sys::write_file_at(AT_FDCWD, (directory + name).c_str(), map_of(first_host_id));
    if (!written) {
      return base::system_error(
          std::string("write_") + name,
          "host ids " + std::to_string(first_host_id) + " and " + std::to_string(first_host_id + 1),
          written.error().errno_value);
    }
  }
  return {};
}

}  // namespace

Finding finding_of(const std::string& name, const std::string& remedy, const base::Result<std::string>& result) {
  if (result) return {name, true, *result, {}};
  return {name, false, result.error().text(), remedy};
}

Finding probe(const std::string& name, const std::string& remedy, const ChildBody& body) {
  return finding_of(name, remedy, run_in_child(0, {}, body));
}

base::Result<std::string> in_user_namespace(std::uint32_t first_host_id, unsigned long clone_flags,
                                            const ChildBody& body) {
  const auto prepare = [first_host_id](pid_t pid) { return write_maps(pid, first_host_id); };
  return run_in_child(CLONE_NEWUSER | clone_flags, prepare, body);
}

}  // namespace outrigger::cli
