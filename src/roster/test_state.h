#pragma once

#include <fcntl.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/unique_fd.h"
#include "config/config.h"
#include "rules/summaries.h"
#include "sys/small_file.h"
#include "wire/daemon_card.h"
#include "wire/job_card.h"
#include "wire/termination.h"

// For tests: what a daemon keeps on disk.
namespace outrigger::roster {

inline constexpr std::chrono::system_clock::time_point kStart{std::chrono::hours(1)};

// A state directory with nothing in it yet, gone with its test.
class TestState {
 public:
  TestState() {
    std::string pattern = (std::filesystem::temp_directory_path() / "nest-state-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
    path_ = pattern;
    make("jobs");
    make("terminations");
  }
  TestState(const TestState&) = delete;
  TestState& operator=(const TestState&) = delete;
  ~TestState() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] config::Paths paths() const {
    config::Paths paths;
    paths.run_dir = paths.lib_dir = path_;
    return paths;
  }

  void make(const std::filesystem::path& directory) const { std::filesystem::create_directories(path_ / directory); }
  bool remove(const std::filesystem::path& name) const { return std::filesystem::remove_all(path_ / name) > 0; }
  [[nodiscard]] bool has(const std::filesystem::path& name) const { return std::filesystem::exists(path_ / name); }
  [[nodiscard]] std::string read(const std::filesystem::path& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::filesystem::path& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  // As the daemon does it: all at once, by its last name.
  void put(const std::filesystem::path& name, std::string_view text) const {
    const auto dir = sys::open_at(AT_FDCWD, (path_ / name).parent_path().c_str(), O_RDONLY | O_DIRECTORY);
    if (!dir || !sys::replace_file_at(dir->get(), name.filename().c_str(), text, 0640)) {
      throw std::runtime_error("put " + name.string());
    }
  }
  void put_card(const wire::JobCard& card) const { put("jobs/" + card.job_id + ".json", wire::job_card_json(card)); }
  bool remove_card(const std::string& job_id) const { return remove("jobs/" + job_id + ".json"); }
  // Gives the file's name.
  std::string put_summary(const wire::Termination& summary) const {
    std::string name = summary.outcome.job_id + ".json";
    put("terminations/" + name,
        wire::termination_json(summary.outcome, summary.command, summary.cgroup_driver, summary.attempt));
    return name;
  }
  [[nodiscard]] bool has_summary(const std::string& file) const { return has("terminations/" + file); }

 private:
  std::filesystem::path path_;
};

inline wire::JobCard card_of(std::string job_id, std::string group = "/nowhere/j1",
                             std::chrono::system_clock::time_point started_at = kStart) {
  wire::JobCard card;
  card.job_id = std::move(job_id);
  card.tenant_id = "acme";
  card.language = "python";
  card.command = "/usr/bin/python3 main.py";
  card.started_at = started_at;
  card.cgroup = std::move(group);
  return card;
}

// How a run of this card ended a second after its start, by itself and well.
inline wire::Termination summary_of(const wire::JobCard& card) {
  wire::Termination summary = rules::exited(0);
  summary.outcome.job_id = card.job_id;
  summary.outcome.tenant_id = card.tenant_id;
  summary.outcome.language = card.language;
  summary.outcome.started_at = card.started_at;
  summary.outcome.ended_at = card.started_at + std::chrono::seconds(1);
  summary.command = card.command;
  summary.cgroup_driver.clear();  // whichever there is here
  return summary;
}

}  // namespace outrigger::roster
