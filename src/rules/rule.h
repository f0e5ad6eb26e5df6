#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "rules/finding.h"
#include "rules/sight.h"

namespace outrigger::rules {

// One thing that is watched for in one job. A rule belongs to one run of one job and is thrown away with it, so that
// whoever reuses an id is judged by itself.
class Rule {
 public:
  Rule() = default;
  virtual ~Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;

  // Called with each sight of the job in order of time; gives what is to be told now, once for each occurrence.
  virtual std::optional<Finding> look(const Sight& sight) = 0;
};

// A rule as it can be listed, and made for a job.
struct RuleKind {
  std::string_view name;   // as it stands in incidents
  std::string_view about;  // a sentence for people
  std::unique_ptr<Rule> (*make)();
};

// All there are, in the order they are asked.
std::span<const RuleKind> all_rules();

}  // namespace outrigger::rules
