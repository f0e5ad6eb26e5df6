#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/outcome.h"
#include "model/runtime.h"

namespace outrigger::pool {

// What a compile step that succeeded has made.
struct Compiled {
  model::CompileReport report;
  std::vector<model::InputFile> artifacts;
};

// All that a compiled program depends on, as one name: the code and files, the step, the image, and the tenant, so that
// nobody is given, or can tell that there is, what another tenant has compiled.
std::string compile_key(const model::Job& job, const model::InstalledRuntime& installed);

// Compiled programs kept for the next job that is the same; who was not asked for longest goes first. Single-threaded.
class CompileCache {
 public:
  // 0: nothing is kept.
  explicit CompileCache(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

  // Null where it is not there.
  std::shared_ptr<const Compiled> find(const std::string& key);
  void add(const std::string& key, std::shared_ptr<const Compiled> compiled);

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const Compiled> compiled;
    std::uint64_t bytes = 0;
  };

  void forget_oldest();

  std::uint64_t max_bytes_;
  std::uint64_t bytes_ = 0;
  std::list<Entry> entries_;  // the latest asked for in front
  std::map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace outrigger::pool
