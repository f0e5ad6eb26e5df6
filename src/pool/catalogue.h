#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/runtime.h"

namespace outrigger::pool {

// The runtimes there are, and which of them can run something: those with an image, which are the ones the jailer
// knows, by their index among themselves. Pointers into it hold as long as it does.
class Catalogue {
 public:
  struct Entry {
    const model::InstalledRuntime* installed;
    std::uint32_t jailer_index;
  };

  explicit Catalogue(std::vector<model::InstalledRuntime> runtimes);
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  // By its name, or another that it goes by; nothing where none that has an image does.
  [[nodiscard]] std::optional<Entry> find(std::string_view language) const;
  [[nodiscard]] const std::vector<model::InstalledRuntime>& all() const { return all_; }
  // Those with an image, by the jailer's index.
  [[nodiscard]] const std::vector<const model::Runtime*>& available() const { return available_; }

 private:
  std::vector<model::InstalledRuntime> all_;
  std::vector<const model::InstalledRuntime*> installed_;
  std::vector<const model::Runtime*> available_;
};

}  // namespace outrigger::pool
