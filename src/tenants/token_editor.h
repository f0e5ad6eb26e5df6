#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"
#include "tenants/token_file.h"

namespace outrigger::tenants {

// Changes a tokens file. Holds its lock (flock(2) on ".NAME.lock" beside it) as long as it lives, so that of two who
// change it at a time neither undoes the other. Lines it does not change stay as they are, comments too.
class TokenEditor {
 public:
  // Makes the directory (kDirectoryMode, `group`'s) where it is missing, and waits for the lock. `group`: whose
  // members, the daemon's own user among them, may read the file.
  static base::Result<TokenEditor> open(const std::filesystem::path& path, gid_t group);

  // As the file was when it was opened, and every change since.
  [[nodiscard]] const TokenList& list() const { return list_; }

  void add(const Token& token);
  // False where there is none of this id, or it is revoked already.
  bool revoke(std::string_view id, std::chrono::system_clock::time_point now);
  // In place of those the tenant has; empty ones are no line.
  void set_quotas(const std::string& tenant, const Quotas& quotas);

  // Puts the new file in the place of the old one, at once and on disk, with the mode 0640.
  base::Status save();

 private:
  TokenEditor(TokenFile file, base::UniqueFd lock, gid_t group, std::string text, TokenList list);

  TokenFile file_;
  base::UniqueFd lock_;
  gid_t group_;
  std::vector<std::string> lines_;
  TokenList list_;
};

}  // namespace outrigger::tenants
