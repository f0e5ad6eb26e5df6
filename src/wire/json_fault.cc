#include "wire/json_fault.h"

#include <algorithm>

#include "base/utf8.h"

namespace outrigger::wire {
namespace {

namespace json = boost::json;
using json::error_code;

// How finely an error is looked for: the text before this piece is read in one go, the piece byte by byte.
constexpr std::size_t kLocatePiece = 4096;

// The offset of the byte that made the parser give up; it does not tell itself. Only for texts that were refused.
std::size_t locate(std::string_view text) {
  error_code ec;
  std::size_t good = 0;
  for (TreeParser whole(tree_options()); good < text.size() && !ec; good += kLocatePiece) {
    const std::string_view piece = text.substr(good, kLocatePiece);
    whole.write_some(true, piece.data(), piece.size(), ec);
    if (ec) break;
  }
  good = std::min(good, text.size());
  TreeParser fine(tree_options());
  ec = {};
  const std::string_view read = text.substr(0, good);
  fine.write_some(true, read.data(), read.size(), ec);
  while (good < text.size() && !ec) {
    fine.write_some(true, text.data() + good, 1, ec);
    if (!ec) ++good;
  }
  return good;
}

// Whether the byte at `offset`, up to which the parser was content, is what breaks UTF-8.
bool breaks_utf8(std::string_view text, std::size_t offset) {
  const std::string_view read = text.substr(0, offset + 1);
  return !base::is_utf8(read.substr(0, base::complete_prefix(read)));
}

std::string named(const std::string& field) { return field.empty() ? "the request body" : field; }

bool is_surrogate_fault(const error_code& ec) {
  return ec == json::error::illegal_leading_surrogate || ec == json::error::illegal_trailing_surrogate ||
         ec == json::error::expected_utf16_escape;
}

// Whether text that was read without complaint ends in the escape of a pair's first half. The parser calls what comes
// after it, when that is no second half, a plain syntax error.
bool ends_in_half_pair(std::string_view read) {
  constexpr std::size_t kEscape = 6;  // \uD83D
  if (read.ends_with('\\')) read.remove_suffix(1);
  if (read.size() < kEscape) return false;
  const std::string_view escape = read.substr(read.size() - kEscape);
  const bool leading = escape[0] == '\\' && escape[1] == 'u' && (escape[2] == 'd' || escape[2] == 'D') &&
                       std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
  std::size_t backslashes = 0;  // an even number before it would make it an escape; an odd one an escaped backslash
  while (read.size() > kEscape + backslashes && read[read.size() - kEscape - backslashes - 1] == '\\') ++backslashes;
  return leading && backslashes % 2 == 0;
}

std::string surrogate_message(const std::string& where) {
  return where + " must be Unicode text: it holds half a surrogate pair (one of \\ud800 to \\udfff alone)";
}

}  // namespace

RequestError describe_fault(std::string_view text, const TreeHandler& handler, const error_code& ec) {
  RequestError error{base::Code::kInvalid, handler.path.text(), {}};
  const std::string where = named(error.field);
  if (handler.fault == Fault::kDuplicateKey) {
    error.message = where + " is given twice";
  } else if (handler.fault == Fault::kTooManyValues) {
    error.message = "the request body holds more than " + std::to_string(kMaxValues) + " values";
  } else if (ec == json::error::too_deep) {
    error.message = where + " is nested deeper than " + std::to_string(kMaxDepth) + " levels";
  } else if (ec == json::error::exponent_overflow) {
    error.message = where + " is a number outside the range that can be read";
  } else if (is_surrogate_fault(ec)) {
    error.message = surrogate_message(where);
  } else {
    const std::size_t offset = locate(text);
    const std::string in_field = error.field.empty() ? "" : ", in " + where;
    if (offset == text.size()) {
      error.message = "the request body ends in the middle of its JSON" + in_field;
    } else if (ends_in_half_pair(text.substr(0, offset))) {
      error.message = surrogate_message(where);
    } else if (breaks_utf8(text, offset)) {
      error.message = where + " must be valid UTF-8: byte " + std::to_string(offset) + " of the request body is not";
    } else {
      error.message = "the request body is not valid JSON at byte " + std::to_string(offset) + in_field;
    }
  }
  return error;
}

}  // namespace outrigger::wire
