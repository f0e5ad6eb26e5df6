#pragma once

#include <libpq-fe.h>

#include <charconv>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace outrigger::store::postgres {

struct ClearResult {
  void operator()(PGresult* result) const noexcept { ::PQclear(result); }
};
using OwnedResult = std::unique_ptr<PGresult, ClearResult>;

// What a statement came to: its rows, all there already.
class Answer {
 public:
  Answer() = default;
  explicit Answer(OwnedResult result) : result_(std::move(result)) {}

  [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(::PQntuples(result_.get())); }
  // Nothing for NULL.
  [[nodiscard]] std::optional<std::string> text_at(std::size_t row, std::size_t column) const {
    const int r = static_cast<int>(row);
    const int c = static_cast<int>(column);
    if (::PQgetisnull(result_.get(), r, c) != 0) return std::nullopt;
    return std::string(::PQgetvalue(result_.get(), r, c), static_cast<std::size_t>(::PQgetlength(result_.get(), r, c)));
  }
  // Rows that were inserted, changed or removed.
  [[nodiscard]] std::size_t affected() const {
    const std::string_view text = ::PQcmdTuples(result_.get());
    std::size_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
  }

 private:
  OwnedResult result_;
};

}  // namespace outrigger::store::postgres
