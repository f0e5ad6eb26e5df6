#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "wire/request_error.h"

namespace outrigger::wire {

// Deeper documents than this, or with more values, are refused while reading: no request needs them, and a tree of
// millions of nodes would cost a hundred times the bytes it was sent in.
inline constexpr std::size_t kMaxDepth = 32;
inline constexpr std::size_t kMaxValues = 100'000;

// JSON text (RFC 8259) as a tree. Refused, naming the field that was being read: what is no JSON, ill-formed UTF-8,
// lone surrogates, a key given twice, too deep, too many. Numbers too large for a double become infinite: whoever reads
// one checks its range.
std::expected<boost::json::value, RequestError> parse_tree(std::string_view text);

// The same, which must be an object. `what` it is, for the sentence that refuses another: "a job card".
std::expected<boost::json::object, RequestError> parse_object(std::string_view text, std::string_view what);

// A field's name as it may be repeated to a caller: at most 64 bytes of it.
std::string shortened(std::string_view name);

}  // namespace outrigger::wire
