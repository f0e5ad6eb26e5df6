#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "fleet/dispatch_line.h"
#include "roster/roster.h"
#include "witness/incidents.h"

namespace outrigger::witness {

// Keeps all jobs together below their ceiling, and tells what it did and could not do.
class FleetWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // `roster`, `incidents` outlive it.
  FleetWatch(const roster::Roster& roster, Incidents& incidents, fleet::CeilingOptions options,
             std::chrono::milliseconds interval);

  void set_address(fleet::DaemonAddress address) { line_.set_address(std::move(address)); }
  void look(Clock::time_point now);

  [[nodiscard]] std::uint64_t memory_bytes() const { return memory_bytes_; }
  [[nodiscard]] std::optional<std::uint64_t> host_bytes() const { return host_bytes_; }
  [[nodiscard]] fleet::DispatchState dispatch() const { return line_.state(); }
  [[nodiscard]] double ceiling() const { return options_.pause_at; }

 private:
  void tell_of_pause(const fleet::DispatchState& state);
  void tell_of_reach(const fleet::DispatchState& state);
  [[nodiscard]] rules::Evidence evidence() const;

  const roster::Roster& roster_;
  Incidents& incidents_;
  fleet::CeilingOptions options_;
  fleet::DispatchLine line_;
  std::uint64_t memory_bytes_ = 0;
  std::optional<std::uint64_t> host_bytes_;
  double share_ = 0;
  bool told_pause_ = false;
  bool told_trouble_ = false;
};

}  // namespace outrigger::witness
