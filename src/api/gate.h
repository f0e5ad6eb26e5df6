#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "api/message.h"
#include "api/options.h"
#include "api/routes.h"

namespace outrigger::api {

// What is decided from a request's head alone, before a byte of its body is read: who may ask, what for, in what form.
class Gate {
 public:
  explicit Gate(const Options& options) : options_(options) {}

  // Who is to answer, or the refusal.
  [[nodiscard]] std::expected<Match, Response> check(const RequestHead& head) const;

 private:
  [[nodiscard]] bool has_token(const RequestHead& head) const;
  [[nodiscard]] bool is_token(std::string_view given) const;

  const Options& options_;
};

}  // namespace outrigger::api
