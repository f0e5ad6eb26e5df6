#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"
#include "jail/plan.h"
#include "model/job.h"
#include "model/outcome.h"

namespace outrigger::run {

// The files that a job gets back, chosen from what sandbox_init tells of its working directory. A name of the guest's
// is only ever compared: what is read is read from the descriptor that came with it.
class Harvest {
 public:
  // `patterns` have no fault.
  explicit Harvest(std::span<const std::string> patterns, model::CollectCaps caps = {});

  // One entry; `descriptor` is of a kFile, else -1, and stays the caller's. Never waits: it is a file in memory.
  void take(const jail::FoundEntry& entry, int descriptor);

  // After the last: what was wanted, by path, and of what is missing why. `whole`: the jail told all that it had.
  std::vector<model::CollectedFile> finish(bool whole);

 private:
  bool is_wanted(std::string_view path);
  void take_file(std::string_view path, std::uint64_t size, int descriptor);
  void blame_below(std::string_view directory, const model::Cause& error);
  void add_error(std::string_view path, std::optional<std::uint64_t> size, const model::Cause& error);

  std::vector<base::Glob> globs_;
  std::vector<bool> told_;  // of each glob that is literal: something was said of its path
  model::CollectCaps caps_;
  std::size_t budget_;  // for comparing
  std::size_t files_read_ = 0;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t errors_left_out_ = 0;
  bool nothing_there_ = false;  // the working directory itself could not be read
  bool cut_ = false;            // there is more than sandbox_init tells
  std::vector<model::CollectedFile> files_;
};

}  // namespace outrigger::run
