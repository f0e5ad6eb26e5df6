#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "probe/watcher.h"
#include "roster/roster.h"

namespace outrigger::witness {

// What wakes the auditor between two intervals: cards and summaries that come and go, groups that are removed, events
// files of v2 that change. Where the kernel gives no watches any more, or drops events, the intervals see all of it
// later.
class Events {
 public:
  using Clock = roster::Roster::Clock;
  struct Handlers {
    std::function<void(const std::string& job_id)> card_came;
    std::function<void(const std::string& job_id)> card_went;
    std::function<void(const std::string& file_name)> summary_came;
    std::function<void(const std::string& job_id)> group_changed;
  };

  // Without inotify there is nothing to wake by: the reason is logged, and polling goes on.
  explicit Events(Handlers handlers);

  [[nodiscard]] int fd() const { return wakeups_ ? wakeups_->fd() : -1; }

  // The directories as they are now; the watches on earlier ones are given up.
  void watch_estate(const roster::Estate& estate);
  // May be called again and again: a directory that has taken the place of another is watched anew.
  void watch_group_root(const std::string& directory);
  // A job's events files, by its group's directory; on v1 there are none.
  void watch_job(const std::string& job_id, const std::string& directory);
  void unwatch_job(const std::string& job_id);
  [[nodiscard]] bool watches_job(const std::string& job_id) const { return watches_of_job_.contains(job_id); }
  // Gives up the watches of jobs that are no more, whose end was not heard of.
  void keep_only(const std::function<bool(const std::string& job_id)>& is_running);

  // True where events were lost.
  bool drain();
  [[nodiscard]] std::uint64_t overflows() const { return overflows_; }

 private:
  struct Root {
    int watch = -1;
    ino_t inode = 0;
  };

  void handle(const probe::Event& event);
  void complain(const base::Error& error);

  Handlers handlers_;
  std::optional<probe::Wakeups> wakeups_;
  int jobs_watch_ = -1;
  int terminations_watch_ = -1;
  std::unordered_map<std::string, Root> roots_;  // by directory
  std::unordered_map<int, std::string> job_of_watch_;
  std::unordered_multimap<std::string, int> watches_of_job_;
  std::uint64_t overflows_ = 0;
  bool complained_ = false;
};

}  // namespace outrigger::witness
