#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "model/limits.h"

namespace outrigger::model {

// One limit by the name it has in requests, answers, configuration and options. Values are doubles in the unit of the
// name: exact below 2^53, and every ceiling is far below that.
struct LimitField {
  std::string_view name;
  bool whole;      // an integer; only cpu_cores is not
  double minimum;  // below it the kernel refuses the value or no program can start
  double maximum;  // no configuration may raise the ceiling above it
  double (*get)(const Limits&);
  void (*set)(Limits&, double);
};

namespace detail {

template <auto Member>
constexpr double get_millis(const Limits& limits) {
  return static_cast<double>((limits.*Member).count());
}
template <auto Member>
constexpr void set_millis(Limits& limits, double value) {
  limits.*Member = std::chrono::milliseconds{static_cast<std::int64_t>(value)};
}
template <auto Member>
constexpr double get_number(const Limits& limits) {
  return static_cast<double>(limits.*Member);
}
template <auto Member, typename T>
constexpr void set_number(Limits& limits, double value) {
  limits.*Member = static_cast<T>(value);
}

inline constexpr double kDayMillis = 24.0 * 3600 * 1000;
inline constexpr double kKiB = 1024;
inline constexpr double kMiB = 1024 * kKiB;
inline constexpr double kTiB = kMiB * kMiB;

}  // namespace detail

// In the order of the contract's answers.
inline constexpr std::array<LimitField, 7> kLimitFields{{
    {"wall_time_ms", true, 1, detail::kDayMillis, detail::get_millis<&Limits::wall_time>,
     detail::set_millis<&Limits::wall_time>},
    {"cpu_time_ms", true, 1, detail::kDayMillis, detail::get_millis<&Limits::cpu_time>,
     detail::set_millis<&Limits::cpu_time>},
    // Less cannot hold the jail's own first process and an exec.
    {"memory_bytes", true, 4 * detail::kMiB, detail::kTiB, detail::get_number<&Limits::memory_bytes>,
     detail::set_number<&Limits::memory_bytes, std::uint64_t>},
    // The kernel takes no quota below 1 ms, and the period is 100 ms.
    {"cpu_cores", false, 0.01, 1024, detail::get_number<&Limits::cpu_cores>,
     detail::set_number<&Limits::cpu_cores, double>},
    {"pids", true, 1, 1 << 20, detail::get_number<&Limits::pids>, detail::set_number<&Limits::pids, std::uint32_t>},
    {"output_bytes", true, 1, 64 * detail::kMiB, detail::get_number<&Limits::output_bytes>,
     detail::set_number<&Limits::output_bytes, std::uint64_t>},
    // Room for the program's own file.
    {"tmpfs_bytes", true, 64 * detail::kKiB, detail::kTiB, detail::get_number<&Limits::tmpfs_bytes>,
     detail::set_number<&Limits::tmpfs_bytes, std::uint64_t>},
}};

}  // namespace outrigger::model
