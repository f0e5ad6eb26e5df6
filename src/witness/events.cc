#include "witness/events.h"

#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "base/log.h"

namespace outrigger::witness {
namespace {

// What a v2 group tells of by itself.
constexpr const char* kEventsFiles[] = {"memory.events", "pids.events"};

std::string by_descriptor(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

}  // namespace

Events::Events(Handlers handlers) : handlers_(std::move(handlers)) {
  auto opened = probe::Wakeups::open();
  if (opened) {
    wakeups_.emplace(std::move(*opened));
  } else {
    complain(opened.error());
  }
}

void Events::complain(const base::Error& error) {
  if (complained_) return;
  complained_ = true;
  base::log(base::Level::kWarn, "no_wakeups",
            {{"error", error.text()}, {"effect", "changes are seen at the next interval only"}});
}

void Events::watch_estate(const roster::Estate& estate) {
  if (!wakeups_) return;
  for (int* watch : {&jobs_watch_, &terminations_watch_}) {
    if (*watch >= 0) wakeups_->unwatch(*watch);
    *watch = -1;
  }
  const auto jobs = wakeups_->watch_directory(by_descriptor(estate.jobs()), {.created = false});
  const auto summaries =
      wakeups_->watch_directory(by_descriptor(estate.terminations()), {.created = false, .removed = false});
  if (jobs) jobs_watch_ = *jobs;
  if (summaries) terminations_watch_ = *summaries;
  if (!jobs) complain(jobs.error());
  if (!summaries) complain(summaries.error());
}

void Events::watch_group_root(const std::string& directory) {
  struct stat about{};
  if (!wakeups_ || ::stat(directory.c_str(), &about) != 0) return;
  if (const auto known = roots_.find(directory); known != roots_.end()) {
    if (known->second.inode == about.st_ino) return;
    // cgroupfs does not tell that a watched directory is gone.
    wakeups_->unwatch(known->second.watch);
    roots_.erase(known);
  }
  const auto watch = wakeups_->watch_directory(directory, {.created = false, .moved_in = false});
  if (watch) roots_.emplace(directory, Root{*watch, about.st_ino});
}

void Events::watch_job(const std::string& job_id, const std::string& directory) {
  if (!wakeups_ || directory.empty()) return;
  for (const char* file : kEventsFiles) {
    const auto watch = wakeups_->watch_file(directory + "/" + file);
    if (!watch) {
      if (watch.error().code == base::Code::kExhausted) complain(watch.error());
      continue;
    }
    job_of_watch_[*watch] = job_id;
    watches_of_job_.emplace(job_id, *watch);
  }
}

void Events::unwatch_job(const std::string& job_id) {
  if (!wakeups_) return;
  const auto [begin, end] = watches_of_job_.equal_range(job_id);
  for (auto each = begin; each != end; ++each) {
    wakeups_->unwatch(each->second);
    job_of_watch_.erase(each->second);
  }
  watches_of_job_.erase(begin, end);
}

void Events::keep_only(const std::function<bool(const std::string& job_id)>& is_running) {
  std::vector<std::string> ended;
  for (const auto& [job_id, watch] : watches_of_job_) {
    if (!is_running(job_id)) ended.push_back(job_id);
  }
  for (const std::string& job_id : ended) unwatch_job(job_id);
}

bool Events::drain() {
  if (!wakeups_) return false;
  const auto drained = wakeups_->drain([this](const probe::Event& event) { handle(event); });
  if (!drained) {
    complain(drained.error());
    return true;
  }
  if (drained->overflowed) ++overflows_;
  return drained->overflowed;
}

void Events::handle(const probe::Event& event) {
  using Kind = probe::Event::Kind;
  const std::string name(event.name);
  if (event.watch == jobs_watch_) {
    const auto id = roster::job_id_of_card(name);
    if (id && event.kind == Kind::kMovedIn) handlers_.card_came(*id);
    if (id && event.kind == Kind::kRemoved) handlers_.card_went(*id);
    return;
  }
  if (event.watch == terminations_watch_) {
    if (event.kind == Kind::kMovedIn) handlers_.summary_came(name);
    return;
  }
  if (const auto job = job_of_watch_.find(event.watch); job != job_of_watch_.end()) {
    if (event.kind == Kind::kChanged) handlers_.group_changed(std::string(job->second));
    return;
  }
  const auto root = std::ranges::find_if(roots_, [&](const auto& each) { return each.second.watch == event.watch; });
  if (root == roots_.end()) return;
  if (event.kind == Kind::kWatchEnded) {
    roots_.erase(root);
  } else if (event.kind == Kind::kRemoved) {
    handlers_.group_changed(name);
  }
}

}  // namespace outrigger::witness
