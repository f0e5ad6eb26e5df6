#include <algorithm>

#include "rules/ceiling.h"
#include "rules/evidence.h"
#include "rules/kinds.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

using model::Status;

// What an OOM kill meant for its job, as far as it is known.
enum class Victim : std::uint8_t { kChild, kChildOfEnded, kMain, kNotKnown };

Victim victim_of(const Sight& sight) {
  if (!sight.ended) return Victim::kChild;
  if (sight.summary == nullptr) return Victim::kNotKnown;
  switch (sight.summary->outcome.status) {
    case Status::kMemoryExceeded: return Victim::kMain;
    case Status::kSignaled: return sight.summary->outcome.signal == "SIGKILL" ? Victim::kMain : Victim::kChildOfEnded;
    case Status::kInternalError:
    case Status::kInterrupted: return Victim::kNotKnown;
    default: return Victim::kChildOfEnded;  // it ended by itself, or by the daemon
  }
}

std::string ceiling_text(Ceiling ceiling, const Sight& sight) {
  const probe::Figure limit = sight.now != nullptr ? sight.now->memory_limit_bytes : probe::Figure{};
  switch (ceiling) {
    case Ceiling::kOwn: return limit ? "at the job's own ceiling of " + bytes_text(*limit) : "at the job's own ceiling";
    case Ceiling::kAbove: return "at the ceiling of a group above it, or of the host; its own was not used up";
    case Ceiling::kUnknown: break;
  }
  return "at a ceiling that this kernel does not name";
}

std::string victim_text(Victim victim, const Sight& sight) {
  switch (victim) {
    case Victim::kChild: return "the job has not ended by it so far";
    case Victim::kChildOfEnded:
      return "the job ended otherwise: " + std::string(model::status_name(sight.summary->outcome.status));
    case Victim::kMain: return "the job has ended by it";
    case Victim::kNotKnown: break;
  }
  return "the job has ended; whether by it is not known";
}

class OomKill : public Rule {
 public:
  // A group starts at 0, and a jail that had an OOM before its job is destroyed: all that is counted is the job's.
  std::optional<Finding> look(const Sight& sight) override {
    const auto card_limit =
        sight.first != nullptr ? std::optional(sight.job.limits.memory_bytes) : std::optional<std::uint64_t>{};
    MemoryKills kills = memory_kills(sight.now, sight.ended ? sight.summary : nullptr, card_limit);
    const Victim victim = victim_of(sight);
    // Told as a child's while the main process was already dying of it.
    const bool late = victim == Victim::kMain && told_ > 0 && !told_end_;
    if (kills.count <= told_ && !late) return std::nullopt;
    if (kills.count == 0) kills = last_;
    const std::uint64_t more = kills.count > told_ ? kills.count - told_ : kills.count;
    told_ = std::max(told_, kills.count);
    told_end_ = told_end_ || sight.ended;
    last_ = kills;
    return finding(sight, kills, more, victim);
  }

 private:
  static Finding finding(const Sight& sight, const MemoryKills& kills, std::uint64_t more, Victim victim) {
    const bool child = victim == Victim::kChild || victim == Victim::kChildOfEnded;
    Finding found{kOomKill.name,
                  child ? Severity::kWarning : Severity::kCritical,
                  "the kernel killed " + std::to_string(more) + (more == 1 ? " process of " : " processes of ") +
                      job_text(sight.job) + " for memory, " + ceiling_text(kills.ceiling, sight) + "; " +
                      victim_text(victim, sight),
                  {{"oom_kills", kills.count}}};
    if (sight.now != nullptr) {
      found.evidence.push_back(fact("ooms", sight.now->ooms));
      found.evidence.push_back(fact("memory_limit_hits", sight.now->memory_limit_hits));
      found.evidence.push_back(fact("memory_peak_bytes", sight.now->memory_peak_bytes));
      found.evidence.push_back(fact("memory_limit_bytes", sight.now->memory_limit_bytes));
    }
    if (sight.summary != nullptr) {
      found.evidence.push_back(fact_if("summary.oom_kills", sight.summary->outcome.usage.oom_kills));
      found.evidence.push_back({"summary.status", std::string(model::status_name(sight.summary->outcome.status))});
    }
    return found;
  }

  std::uint64_t told_ = 0;
  bool told_end_ = false;
  MemoryKills last_;
};

}  // namespace

std::unique_ptr<Rule> make_oom_kill() { return std::make_unique<OomKill>(); }

}  // namespace outrigger::rules
