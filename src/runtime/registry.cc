#include "runtime/registry.h"

#include "runtime/package_status.h"
#include "runtime/stamp.h"
#include "runtime/text_file.h"

namespace outrigger::runtime {

model::InstalledRuntime find_installed(const model::Runtime& runtime, const std::filesystem::path& images_dir) {
  model::InstalledRuntime installed{runtime, {}, {}};
  std::error_code code;
  const auto image = std::filesystem::canonical(images_dir / runtime.image, code);
  const auto stamp = read_stamp(images_dir, runtime.image);
  if (code || !stamp || !holds(*stamp, runtime.packages)) return installed;
  installed.image_path = image.string();
  installed.image_stamp = stamp_to_json(*stamp);
  if (const auto status = read_text_file(image / "var/lib/dpkg/status")) {
    installed.version = upstream_version(package_version(*status, runtime.packages.front()));
  }
  return installed;
}

base::Result<std::vector<model::InstalledRuntime>> load_all(const std::filesystem::path& runtimes_dir,
                                                            const std::filesystem::path& images_dir) {
  const auto definitions = load_definitions(runtimes_dir);
  if (!definitions) return std::unexpected(definitions.error());
  std::vector<model::InstalledRuntime> all;
  for (const Definition& definition : *definitions) all.push_back(find_installed(definition.runtime, images_dir));
  return all;
}

}  // namespace outrigger::runtime
