#pragma once

namespace outrigger::cli {

// The project's version, from CMakeLists.txt.
inline constexpr char kVersion[] = OUTRIGGER_VERSION;

}  // namespace outrigger::cli
