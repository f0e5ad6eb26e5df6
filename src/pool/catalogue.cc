#include "pool/catalogue.h"

#include <utility>

#include "model/runtime_name.h"

namespace outrigger::pool {

Catalogue::Catalogue(std::vector<model::InstalledRuntime> runtimes) : all_(std::move(runtimes)) {
  for (const model::InstalledRuntime& one : all_) {
    if (one.image_path.empty()) continue;
    installed_.push_back(&one);
    available_.push_back(&one.runtime);
  }
}

std::optional<Catalogue::Entry> Catalogue::find(std::string_view language) const {
  for (std::uint32_t index = 0; index < installed_.size(); ++index) {
    if (model::has_name(*available_[index], language)) return Entry{installed_[index], index};
  }
  return std::nullopt;
}

}  // namespace outrigger::pool
