#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace outrigger::runtime {

// How an image is made. Raised whenever the builder makes a different tree, so that older images are built anew.
inline constexpr int kRecipe = 1;
inline constexpr std::string_view kSuite = "bookworm";

// What <images dir>/<image>.json says of the tree <images dir>/<image>. It lies beside the tree, not in it, because a
// guest can read its own root. It is written last: an image without one was never finished.
struct Stamp {
  std::string image;
  std::string suite;
  std::vector<std::string> packages;  // as asked for, sorted, without their dependencies
  int recipe = 0;
  std::string built_at;  // RFC 3339, UTC
};

std::string stamp_to_json(const Stamp& stamp);
base::Result<Stamp> parse_stamp(std::string_view json);

std::filesystem::path stamp_path(const std::filesystem::path& images_dir, const std::string& image);
base::Result<Stamp> read_stamp(const std::filesystem::path& images_dir, const std::string& image);
base::Status write_stamp(const std::filesystem::path& images_dir, const Stamp& stamp);
base::Status remove_stamp(const std::filesystem::path& images_dir, const std::string& image);

// Whether the image is of this recipe and was built with all of these packages.
bool holds(const Stamp& stamp, const std::vector<std::string>& packages);

}  // namespace outrigger::runtime
