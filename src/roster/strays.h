#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rules/finding.h"

namespace outrigger::roster {

// Groups named as jobs are which nobody claims: no card, no process, for longer than any start or end takes. A jail
// kept warm has no card either, but processes. What remains was left behind by a daemon that is no more.
class Strays {
 public:
  using Clock = std::chrono::steady_clock;

  using IsClaimed = std::function<bool(const std::string& name)>;
  using Told = std::function<void(const std::string& name, const rules::Finding&)>;

  // Whether it is time to look: more often than every few seconds it need not be.
  [[nodiscard]] bool due(Clock::time_point now) const { return now - looked_at_ >= kEvery; }

  // Compares the directories of these roots with those of the last time; nothing before it is due.
  // `is_claimed` says whether a job's card or the roster knows a name; `told` is given each stray once.
  void look(const std::vector<std::string>& roots, Clock::time_point now, const IsClaimed& is_claimed,
            const Told& told);

  static constexpr std::chrono::seconds kPatience{5};
  static constexpr std::chrono::seconds kEvery{5};

 private:
  struct Seen {
    ino_t inode = 0;
    Clock::time_point since;
    bool told = false;
  };
  using BySight = std::map<std::string, Seen>;  // by path

  void look_below(const std::string& root, Clock::time_point now, const IsClaimed& is_claimed, const Told& told,
                  BySight& still) const;

  BySight seen_;
  Clock::time_point looked_at_;
};

}  // namespace outrigger::roster
