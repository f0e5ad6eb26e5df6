#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/message.h"
#include "api/options.h"
#include "api/routes.h"
#include "tenants/guard.h"

namespace outrigger::api {

// What is decided from a request's head alone, before a byte of its body is read: who may ask, what for, in what form.
class Gate {
 public:
  // Both outlive it. `guard` null: no token is asked for, and only this machine's own programs are served.
  explicit Gate(const Options& options, const tenants::Guard* guard = nullptr) : options_(options), guard_(guard) {}

  // Who is to answer and who asks, or the refusal.
  [[nodiscard]] std::expected<Match, Response> check(const RequestHead& head) const;

 private:
  // Whether a token is asked for.
  [[nodiscard]] bool is_guarded() const { return guard_ != nullptr && guard_->is_guarded(); }
  // Who holds the token that was sent: nothing where it opens nothing. Where none is asked for, an operator.
  [[nodiscard]] std::optional<tenants::Caller> caller_with(std::string_view token) const;
  [[nodiscard]] std::optional<tenants::Caller> caller_of(const RequestHead& head) const;

  const Options& options_;
  const tenants::Guard* guard_;
};

}  // namespace outrigger::api
