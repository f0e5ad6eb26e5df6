#include "run/template_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "jail/plan.h"
#include "run/launch_payload.h"
#include "sys/small_file.h"

namespace outrigger::run {
namespace {

constexpr std::size_t kCopyAtOnce = 64U << 20;
constexpr unsigned kSeals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

base::Result<base::UniqueFd> sealed_file(const LaunchPayload& payload) {
  base::UniqueFd file(::memfd_create("launch", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) return base::system_error("template_files", "memfd");
  for (const auto& part : payload.buffers()) {
    if (::write(file.get(), part.data(), part.size()) != static_cast<ssize_t>(part.size())) {
      return base::system_error("template_files", "write");
    }
  }
  if (::fcntl(file.get(), F_ADD_SEALS, kSeals) != 0) return base::system_error("template_files", "seal");
  return file;
}

// A copy in memory, so that no path of the host's is in a guest's /proc/self/maps. `name` is what is.
base::Result<base::UniqueFd> copy_file(const std::string& path, const std::string& name) {
  auto file = sys::open_at(AT_FDCWD, path.c_str(), O_RDONLY);
  if (!file) return base::system_error("template_files", path, file.error().errno_value);
  base::UniqueFd copy(::memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!copy) return base::system_error("template_files", "memfd");
  ssize_t moved = 0;
  while ((moved = ::sendfile(copy.get(), file->get(), nullptr, kCopyAtOnce)) > 0) {
  }
  if (moved < 0 || ::fcntl(copy.get(), F_ADD_SEALS, kSeals) != 0) return base::system_error("template_files", path);
  return copy;
}

}  // namespace

base::Status load_prelude_library(model::Runtime& runtime, const std::string& programs) {
  model::Prelude& prelude = runtime.prelude;
  if (prelude.library.empty()) return {};
  const std::string name = prelude.library + ".so";
  auto content = sys::read_file_at(AT_FDCWD, (programs + "/" + name).c_str());
  if (!content) return base::system_error("prelude_library", programs + "/" + name, content.error().errno_value);
  prelude.content = std::move(*content);
  prelude.path = std::string(jail::kHomeDir) + "/.prelude/" + name;
  prelude.env = {{"LD_PRELOAD", prelude.path}};
  return {};
}

base::Result<jailer::TemplateFiles> template_files(const model::Runtime& runtime, const std::string& programs) {
  jailer::TemplateFiles files;
  if (runtime.strategy != model::Strategy::kZygote) return files;
  const std::string& name = runtime.template_.host;
  auto host = copy_file(programs + "/" + name + ".so", name);
  if (!host) return std::unexpected(host.error());
  const LaunchPayload payload(runtime);
  auto launch = sealed_file(payload);
  if (!launch) return std::unexpected(launch.error());
  files.host = std::move(*host);
  files.launch = std::move(*launch);
  return files;
}

}  // namespace outrigger::run
