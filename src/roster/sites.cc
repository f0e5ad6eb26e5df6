#include "roster/sites.h"

#include <filesystem>

namespace outrigger::roster {
namespace {

std::string parent_of(const std::string& directory) { return std::filesystem::path(directory).parent_path().string(); }

}  // namespace

const Sites::Site* Sites::site_of(const std::string& memory_root) {
  if (const auto known = sites_.find(memory_root); known != sites_.end()) return &known->second;
  probe::Hint hint{memory_root, {}, 0};
  if (const auto daemon = estate_.daemon_card()) {
    hint.version = daemon->cgroup_driver;
    hint.daemon_pid = static_cast<pid_t>(daemon->pid);
  }
  trouble_.reset();
  auto places = probe::find_places(hint);
  auto opened = places ? probe::OpenPlaces::open(std::move(*places)) : std::unexpected(places.error());
  if (!opened) {
    trouble_ = opened.error();
    return nullptr;
  }
  auto cycles = probe::find_cycle_counting(opened->places());
  Site site{std::make_shared<const probe::OpenPlaces>(std::move(*opened)), std::move(cycles)};
  return &sites_.emplace(memory_root, std::move(site)).first->second;
}

std::unique_ptr<TrackedJob> Sites::open_job(const wire::JobCard& card, bool may_count) {
  const std::string root = parent_of(card.cgroup);
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Site* site = site_of(root);
    // A job that has ended meanwhile took its places along.
    if (!estate_.has_card(card.job_id)) trouble_.reset();
    if (site == nullptr) break;
    auto group = probe::Group::open(*site->places, card.job_id, budget_);
    if (group) {
      auto job = std::make_unique<TrackedJob>(card, site->places);
      job->group().attach(std::move(*group));
      begin_cycles(job->group(), *site, may_count);
      return job;
    }
    // The directory of all groups may have been removed with the last daemon, and made anew by this one.
    if (!estate_.has_card(card.job_id)) break;
    sites_.erase(root);
  }
  return std::make_unique<TrackedJob>(card, nullptr);
}

void Sites::begin_cycles(WatchedGroup& group, const Site& site, bool may_count) {
  if (!site.cycles) {
    group.leave_cycles(site.cycles.error().context);
  } else if (may_count) {
    group.count_cycles(*site.cycles);
  } else {
    group.leave_cycles("more jobs ran than are counted at a time");
  }
}

std::string Sites::driver() const {
  return sites_.empty() ? std::string() : std::string(sys::version_name(sites_.begin()->second.places->version()));
}

std::vector<std::string> Sites::roots() const {
  std::vector<std::string> roots;
  roots.reserve(sites_.size() + 1);
  for (const auto& [root, site] : sites_) roots.push_back(root);
  const auto daemon = estate_.daemon_card();
  if (daemon && !sites_.contains(daemon->cgroup_root)) roots.push_back(daemon->cgroup_root);
  return roots;
}

}  // namespace outrigger::roster
