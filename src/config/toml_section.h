#pragma once

#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace outrigger::config {

// The first thing found wrong with a file: "FILE:LINE:COLUMN: pool.slots must be …".
class TomlFault {
 public:
  explicit TomlFault(std::string_view file) : file_(file) {}
  void report(const toml::source_region& where, const std::string& what);
  [[nodiscard]] const std::optional<std::string>& message() const { return message_; }

 private:
  std::string file_;
  std::optional<std::string> message_;
};

// One table of the file. Each read names a key that may be there; finish() refuses all keys that nobody named.
class TomlSection {
 public:
  // `table` may be null: an absent section reads as one without keys.
  TomlSection(const toml::table* table, std::string name, TomlFault& fault)
      : table_(table), name_(std::move(name)), fault_(fault) {}

  TomlSection section(std::string_view key);

  // Each leaves `out` alone where the key is absent, and reports a wrong type or a value out of range.
  bool number(std::string_view key, double minimum, double maximum, bool whole, double& out);
  void text(std::string_view key, std::string& out);
  void boolean(std::string_view key, bool& out);
  void absolute_path(std::string_view key, std::filesystem::path& out);
  void texts(std::string_view key, std::vector<std::string>& out);
  void milliseconds(std::string_view key, std::chrono::milliseconds minimum, std::chrono::milliseconds maximum,
                    std::chrono::milliseconds& out);
  template <typename T>
  void integer(std::string_view key, T minimum, T maximum, T& out) {
    double value = 0;
    if (number(key, static_cast<double>(minimum), static_cast<double>(maximum), true, value))
      out = static_cast<T>(value);
  }
  // A value that was read but breaks a rule of its own.
  void refuse(std::string_view key, std::string_view rule);

  void finish();

 private:
  const toml::node* find(std::string_view key);
  [[nodiscard]] std::string path(std::string_view key) const;

  const toml::table* table_;
  std::string name_;
  TomlFault& fault_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace outrigger::config
