#pragma once

#include <expected>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "wire/request_error.h"

namespace outrigger::api {

// The parameters of a query string ("a=1&b=x%20y", "+" for a space), decoded. Refused: one that is not among `known`
// (empty: any may be there), given twice, or not UTF-8 when decoded.
std::expected<std::map<std::string, std::string, std::less<>>, wire::RequestError> parse_query(
    std::string_view query, std::span<const std::string_view> known);

}  // namespace outrigger::api
