#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace outrigger::runtime {

// Reads the keys of one TOML table and remembers the first thing wrong with it. Whoever has read all keys asks
// finish(): a key nobody asked for is wrong too, so that a typing mistake can't silently drop a setting.
class DefinitionReader {
 public:
  // Says why a value is refused, or nothing.
  using Check = std::function<std::optional<std::string>(std::string_view)>;
  enum class Presence { kRequired, kOptional };

  DefinitionReader(const toml::table& table, std::string_view origin) : table_(table), origin_(origin) {}

  std::string text(std::string_view key, Presence presence, const Check& check);
  std::vector<std::string> texts(std::string_view key, Presence presence, const Check& check);
  std::vector<std::pair<std::string, std::string>> variables(std::string_view key, const Check& check_name,
                                                             const Check& check_value);
  // A whole number from `least` to `most`; `fallback` where the key is missing.
  std::uint32_t number(std::string_view key, std::uint32_t fallback, std::uint32_t least, std::uint32_t most);
  double real(std::string_view key, double fallback, double least, double most, bool whole);
  bool boolean(std::string_view key, bool fallback);
  // Null where the key is missing. Its keys are read by a reader of its own.
  const toml::table* table(std::string_view key);
  [[nodiscard]] base::Status finish();

 private:
  const toml::node* find(std::string_view key, Presence presence);
  std::string checked_text(const toml::node& node, const std::string& name, const Check& check);
  void refuse(const toml::source_region& where, const std::string& what);

  const toml::table& table_;
  std::string origin_;
  std::vector<std::string> known_;
  std::string error_;
};

}  // namespace outrigger::runtime
