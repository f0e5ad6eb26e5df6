#pragma once

#include "probe/live_group.h"

// For tests: the directory a daemon's groups lie in, in every hierarchy of the running kernel.
namespace outrigger::roster {

class TestGroups {
 public:
  TestGroups();   // throws std::runtime_error where none can be made: such a test cannot pass
  ~TestGroups();  // the groups in it must be gone
  TestGroups(const TestGroups&) = delete;
  TestGroups& operator=(const TestGroups&) = delete;

  [[nodiscard]] const probe::Places& places() const { return places_; }

 private:
  probe::Places places_;
};

}  // namespace outrigger::roster
