#pragma once

#include "base/error.h"
#include "config/config.h"
#include "roster/roster.h"
#include "view/report.h"

namespace outrigger::crows_nest {

// Looking at the running jobs without keeping anything: for the table. Reads what the kernel says by itself; what a
// running `crows-nest watch` has found about the same jobs is added from its ledger.
class Survey {
 public:
  explicit Survey(const config::Config& config, bool history);

  // kNotFound, kSystem: nothing could be looked at, and why.
  base::Status look();
  [[nodiscard]] view::Report report() const;

 private:
  void add_incidents(std::vector<view::JobRow>& jobs) const;

  const config::Config& config_;
  roster::Estate estate_;
  roster::Roster roster_;
};

}  // namespace outrigger::crows_nest
