#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/limits.h"

namespace outrigger::judge0 {

inline constexpr std::string_view kApiVersion = "1.13.1";  // of Judge0, whose API this is
inline constexpr std::size_t kMaxBatch = 20;               // Judge0's default, as the others here
inline constexpr std::uint64_t kMaxExtractKilobytes = 10240;

// One of a submission's numbers: what it may be (Judge0's "configuration variables").
struct Setting {
  std::string_view name;
  bool decimal = false;  // told as text with decimals ("5.0"), as Judge0's database has them; else an integer
  double fallback = 0;
  double minimum = 0;
  bool above = false;  // it must be greater than the minimum
  double maximum = 0;
  std::string_view limit;  // of model::kLimitFields, that it sets; empty: it is taken and has no effect
  double unit = 1;         // of the setting in units of the limit
};

// In the order of Judge0's documentation. Where one sets a limit, default and maximum are the daemon's.
std::array<Setting, 8> settings(const model::Limits& defaults, const model::Limits& ceilings);

// "5.0", "0.012": a decimal as Judge0 tells it, with at most `digits` after the point, and at least one.
std::string decimal_text(double value, int digits = 3);

// GET /config_info.
std::string config_info_json(const model::Limits& defaults, const model::Limits& ceilings);
// GET /about. `product`: "Outrigger 1.2.3".
std::string about_json(std::string_view product);

}  // namespace outrigger::judge0
