#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "config/config.h"
#include "wire/daemon_card.h"
#include "wire/job_card.h"

namespace outrigger::roster {

// What a daemon keeps on disk for its auditor: job cards, termination summaries, its own card. Read by descriptor; the
// directories may come later than the auditor, and be made anew.
class Estate {
 public:
  explicit Estate(config::Paths paths) : paths_(std::move(paths)) {}

  // Opens what is there; true if any of it is another than before. kNotFound where no daemon has ever kept its things
  // there.
  base::Result<bool> open();

  [[nodiscard]] int jobs() const { return jobs_.get(); }
  [[nodiscard]] int terminations() const { return terminations_.get(); }
  [[nodiscard]] const config::Paths& paths() const { return paths_; }

  // The ids whose cards lie there.
  [[nodiscard]] std::vector<std::string> job_ids() const;
  // Nothing where it is gone, or is none.
  [[nodiscard]] std::optional<wire::JobCard> job_card(const std::string& job_id) const;
  [[nodiscard]] bool has_card(const std::string& job_id) const;
  [[nodiscard]] std::optional<wire::DaemonCard> daemon_card() const;

 private:
  config::Paths paths_;
  base::UniqueFd jobs_;
  base::UniqueFd terminations_;
  bool replaced_ = false;  // and not told yet: the other one could not be opened
};

// "0123.json" to "0123"; nothing for any other name.
std::optional<std::string> job_id_of_card(std::string_view file_name);

// The names of the regular files of a directory.
std::vector<std::string> file_names(int dir);
// The names of its directories, "." and ".." not among them.
std::vector<std::string> directory_names(int dir);

}  // namespace outrigger::roster
