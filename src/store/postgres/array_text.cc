#include "store_postgres/array_text.h"

#include <utility>

namespace outrigger::store::postgres {

void ArrayText::add(const std::optional<std::string>& element) {
  if (out_.size() > 1) out_ += ',';
  if (!element) {
    out_ += "NULL";
    return;
  }
  out_ += '"';
  for (const char c : *element) {
    if (c == '"' || c == '\\') out_ += '\\';
    out_ += c;
  }
  out_ += '"';
}

std::string ArrayText::take() {
  out_ += '}';
  return std::exchange(out_, "{");
}

}  // namespace outrigger::store::postgres
