#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::runtime {

// Holds <images dir>/.<image>.lock until the descriptor is closed, so that two builds of one image never meet. Waits
// for another holder and says so once; a holder that died has let go.
base::Result<base::UniqueFd> lock_image(const std::filesystem::path& images_dir, const std::string& image,
                                        const std::function<void(std::string_view)>& progress);

}  // namespace outrigger::runtime
