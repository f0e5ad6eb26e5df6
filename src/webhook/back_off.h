#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace outrigger::webhook {

// So often a delivery is tried.
inline constexpr unsigned kMaxAttempts = 8;

// How long to wait after the attempt of this number (from 1) has failed: 1 s, 2, 4 … up to 5 min, each up to a fifth
// shorter or longer, so that what failed together does not return together; never less than what the server has
// `asked` for, but for what exceeds an hour. Nothing after the last attempt. The same for the same arguments: `seed`,
// the job's id say, decides about the fifth.
std::optional<std::chrono::milliseconds> retry_after(unsigned attempt, std::string_view seed,
                                                     std::chrono::seconds asked = std::chrono::seconds(0));

}  // namespace outrigger::webhook
