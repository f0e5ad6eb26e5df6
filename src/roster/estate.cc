#include "roster/estate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/ids.h"
#include "sys/directory.h"
#include "sys/small_file.h"

namespace outrigger::roster {
namespace {

constexpr std::string_view kJson = ".json";

// What is being written has a name that begins with a dot.
std::vector<std::string> names_of(int dir, sys::EntryType type) {
  std::vector<std::string> names = sys::names_in(dir, type).value_or(std::vector<std::string>{});
  std::erase_if(names, [](const std::string& name) { return name.starts_with('.'); });
  return names;
}

bool is_same(const base::UniqueFd& held, const base::UniqueFd& found) {
  struct stat one{};
  struct stat other{};
  return held && ::fstat(held.get(), &one) == 0 && ::fstat(found.get(), &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

base::Result<bool> reopen(base::UniqueFd& held, const std::filesystem::path& path) {
  auto found = sys::open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY);
  if (!found) {
    if (found.error().errno_value != ENOENT) return std::unexpected(found.error());
    return base::failure(base::Code::kNotFound, "open_state",
                         path.string() + " is not there: has a daemon been started with this state directory?");
  }
  if (is_same(held, *found)) return false;
  held = std::move(*found);
  return true;
}

}  // namespace

base::Result<bool> Estate::open() {
  const auto jobs = reopen(jobs_, paths_.run_dir / "jobs");
  if (!jobs) return jobs;
  replaced_ = replaced_ || *jobs;
  const auto terminations = reopen(terminations_, paths_.lib_dir / "terminations");
  if (!terminations) return terminations;
  replaced_ = replaced_ || *terminations;
  return std::exchange(replaced_, false);
}

std::vector<std::string> Estate::job_ids() const {
  std::vector<std::string> ids;
  for (const std::string& name : file_names(jobs_.get())) {
    if (auto id = job_id_of_card(name)) ids.push_back(std::move(*id));
  }
  return ids;
}

std::optional<wire::JobCard> Estate::job_card(const std::string& job_id) const {
  const auto text = sys::read_file_at(jobs_.get(), (job_id + ".json").c_str());
  if (!text) return std::nullopt;
  auto card = wire::parse_job_card(*text);
  // A card that names another job would put that one's limits on this one's group.
  if (!card || card->job_id != job_id) return std::nullopt;
  return std::move(*card);
}

bool Estate::has_card(const std::string& job_id) const {
  return ::faccessat(jobs_.get(), (job_id + ".json").c_str(), F_OK, 0) == 0;
}

std::optional<wire::DaemonCard> Estate::daemon_card() const {
  const auto text = sys::read_file_at(AT_FDCWD, (paths_.run_dir / "outriggerd.json").c_str());
  if (!text) return std::nullopt;
  auto card = wire::parse_daemon_card(*text);
  return card ? std::optional(std::move(*card)) : std::nullopt;
}

std::optional<std::string> job_id_of_card(std::string_view file_name) {
  if (!file_name.ends_with(kJson)) return std::nullopt;
  file_name.remove_suffix(kJson.size());
  return base::is_job_id(file_name) ? std::optional<std::string>(file_name) : std::nullopt;
}

std::vector<std::string> file_names(int dir) { return names_of(dir, sys::EntryType::kFile); }
std::vector<std::string> directory_names(int dir) { return names_of(dir, sys::EntryType::kDirectory); }

}  // namespace outrigger::roster
