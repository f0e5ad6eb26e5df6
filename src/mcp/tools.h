#pragma once

#include <boost/json/object.hpp>
#include <expected>
#include <string>
#include <string_view>

namespace outrigger::mcp {

inline constexpr std::string_view kRunCode = "run_code";
inline constexpr std::string_view kListLanguages = "list_languages";
inline constexpr std::string_view kGetRun = "get_run";

// The result of tools/list: each tool with the schemas of what it takes and gives.
std::string_view tool_list();

// run_code's arguments as the body of POST /api/v1/execute. Only their names and places are checked: the API says what
// is wrong with a value. The error is a sentence.
std::expected<std::string, std::string> execute_body(const boost::json::object& arguments, std::string_view tenant);
// An error of that API in the arguments' own names.
std::string in_arguments_terms(std::string message);

// get_run's one argument. The error is a sentence.
std::expected<std::string, std::string> job_id_of(const boost::json::object& arguments);
// Nothing but `known` names may be there.
std::string unknown_argument(const boost::json::object& arguments, std::initializer_list<std::string_view> known);

}  // namespace outrigger::mcp
