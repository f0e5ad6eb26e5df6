#pragma once

#include <optional>
#include <string>

#include "tenants/guard.h"
#include "tenants/token_file.h"

namespace outrigger::tenants {

// Keeps a guard at what the tokens file says. Blocking, for the moment a small file takes. Single-threaded.
class TokenWatch {
 public:
  // `guard` outlives it.
  TokenWatch(TokenFile file, Guard& guard) : file_(std::move(file)), guard_(guard) {}

  // At the start: what can't be read is an error. An absent file is an empty one.
  base::Status load();

  // Takes over what has changed since; to be called again and again. Where the file can't be read or is wrong, what it
  // said last goes on to hold, and trouble() says why. So it does where the file is gone.
  void look();
  // Empty where all is well.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  base::Status read();

  TokenFile file_;
  Guard& guard_;
  std::optional<FileState> seen_;  // what was read last, good or not
  bool had_file_ = false;
  std::string trouble_;
};

}  // namespace outrigger::tenants
