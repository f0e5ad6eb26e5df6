#include "webhook/back_off.h"

#include <algorithm>
#include <cstdint>

namespace outrigger::webhook {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kFirst{1'000};
constexpr milliseconds kLongest{300'000};
constexpr seconds kLongestAsked{3'600};

// FNV-1a; anything that spreads would do.
std::uint64_t spread(std::string_view seed, unsigned attempt) {
  std::uint64_t hash = 14'695'981'039'346'656'037ULL;
  const auto add = [&](std::uint8_t byte) { hash = (hash ^ byte) * 1'099'511'628'211ULL; };
  for (const char c : seed) add(static_cast<std::uint8_t>(c));
  add(static_cast<std::uint8_t>(attempt));
  return hash ^ (hash >> 32U);
}

}  // namespace

std::optional<milliseconds> retry_after(unsigned attempt, std::string_view seed, seconds asked) {
  if (attempt >= kMaxAttempts) return std::nullopt;
  const milliseconds plain = std::min(kFirst * (1U << (std::max(attempt, 1U) - 1U)), kLongest);
  const auto percent = static_cast<std::int64_t>(80 + spread(seed, attempt) % 41);
  return std::max<milliseconds>(plain * percent / 100, std::clamp(asked, seconds(0), kLongestAsked));
}

}  // namespace outrigger::webhook
