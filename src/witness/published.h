#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "roster/roster.h"
#include "witness/fleet_watch.h"
#include "witness/incidents.h"
#include "witness/intake.h"
#include "witness/metrics_page.h"

namespace outrigger::witness {

// Of the running auditor, without what only its ledgers, events and alerts know.
MetricsSnapshot snapshot_of(const roster::Roster& roster, const FleetWatch& fleet, const Intake& intake,
                            const Incidents& incidents);

// The latest snapshot, handed from the auditor's thread to those that serve it.
class Published {
 public:
  void set(MetricsSnapshot snapshot) {
    auto shared = std::make_shared<const MetricsSnapshot>(std::move(snapshot));
    const std::lock_guard lock(mutex_);
    latest_ = std::move(shared);
  }
  [[nodiscard]] families::Families page(const std::string& version) const;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const MetricsSnapshot> latest_ = std::make_shared<const MetricsSnapshot>();
};

}  // namespace outrigger::witness
