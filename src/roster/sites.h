#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "probe/descriptor_budget.h"
#include "probe/group.h"
#include "probe/places.h"
#include "roster/estate.h"
#include "roster/tracked_job.h"

namespace outrigger::roster {

// Where jobs' groups lie, as their cards tell, and how to get at one.
class Sites {
 public:
  Sites(const Estate& estate, std::size_t kept_descriptors) : estate_(estate), budget_(kept_descriptors) {}

  // The job of a card, its group open if it is still there. `may_count`: its cycles, where they can be counted.
  std::unique_ptr<TrackedJob> open_job(const wire::JobCard& card, bool may_count);

  // Why the groups of a job that runs can't be found, where that was so the last time.
  [[nodiscard]] const std::optional<base::Error>& trouble() const { return trouble_; }
  [[nodiscard]] std::string driver() const;  // "v1", "v2"; empty: no group has been found yet
  // The directories that hold groups, of the memory hierarchy on v1.
  [[nodiscard]] std::vector<std::string> roots() const;

 private:
  struct Site {
    std::shared_ptr<const probe::OpenPlaces> places;
    base::Result<sys::Controller> cycles;  // in which hierarchy they can be counted
  };

  const Site* site_of(const std::string& memory_root);
  static void begin_cycles(WatchedGroup& group, const Site& site, bool may_count);

  const Estate& estate_;
  probe::DescriptorBudget budget_;
  std::map<std::string, Site> sites_;  // by the directory named in cards
  std::optional<base::Error> trouble_;
};

}  // namespace outrigger::roster
