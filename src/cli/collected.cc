#include "cli/collected.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/ids.h"
#include "base/unique_fd.h"
#include "cli/print.h"
#include "sys/small_file.h"

namespace outrigger::cli {
namespace {

using base::Status;

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

// A daemon is not believed that its paths stay below the directory.
bool is_below(std::string_view path) {
  for (;;) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string_view::npos) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

base::Result<base::UniqueFd> make_and_open(int parent, const std::string& name) {
  if (::mkdirat(parent, name.c_str(), 0777) != 0 && errno != EEXIST) return base::system_error("mkdir", name);
  return sys::open_at(parent, name.c_str(), kDirectory);
}

Status fill(int fd, const model::CollectedFile& file) {
  if (!write_all(fd, file.content)) return base::system_error("write", file.path);
  return {};
}

// Beside its place first, so that what is there is replaced as a whole, and a link by the file, not followed.
Status replace(int directory, const std::string& name, const model::CollectedFile& file) {
  const std::string temporary = ".outrigger-" + base::new_job_id();
  auto fd = sys::open_at(directory, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, file.mode);
  if (!fd) return std::unexpected(fd.error());
  Status done = fill(fd->get(), file);
  if (done && ::renameat(directory, temporary.c_str(), directory, name.c_str()) != 0) {
    done = base::system_error("rename", name);
  }
  if (!done) ::unlinkat(directory, temporary.c_str(), 0);
  return done;
}

Status write_one(int root, const model::CollectedFile& file) {
  if (!is_below(file.path)) return base::failure(base::Code::kInvalid, "path", "does not stay below the directory");
  std::string_view rest = file.path;
  base::UniqueFd below;
  int directory = root;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    auto next = make_and_open(directory, std::string(rest.substr(0, slash)));
    if (!next) return std::unexpected(next.error());
    below = std::move(*next);
    directory = below.get();
    rest.remove_prefix(slash + 1);
  }
  return replace(directory, std::string(rest), file);
}

}  // namespace

std::vector<std::string> write_collected(const std::vector<model::CollectedFile>& files, const std::string& directory,
                                         bool& written) {
  std::vector<std::string> complaints;
  written = true;
  if (files.empty()) return complaints;
  if (::mkdir(directory.c_str(), 0777) != 0 && errno != EEXIST) {
    complaints.push_back("cannot make " + directory + ": " + ::strerrordesc_np(errno));
    written = false;
    return complaints;
  }
  const auto root = sys::open_at(AT_FDCWD, directory.c_str(), O_RDONLY | O_DIRECTORY);
  if (!root) {
    complaints.push_back("cannot open " + directory + ": " + root.error().text());
    written = false;
    return complaints;
  }
  for (const model::CollectedFile& file : files) {
    if (file.error) {
      complaints.push_back("not collected: " + file.path + ": " + file.error->text);
    } else if (const Status done = write_one(root->get(), file); !done) {
      complaints.push_back("cannot write " + file.path + ": " + done.error().text());
      written = false;
    }
  }
  return complaints;
}

}  // namespace outrigger::cli
