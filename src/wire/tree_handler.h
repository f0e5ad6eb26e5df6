#pragma once

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "wire/json_path.h"
#include "wire/json_tree.h"

namespace outrigger::wire {

// What ends a parse beside the text's own faults.
enum class Fault { kNone, kDuplicateKey, kTooManyValues };

inline constexpr std::size_t kNoMaximum = std::numeric_limits<std::size_t>::max();

// What basic_parser calls; false ends the parse.
class TreeHandler {
 public:
  static constexpr std::size_t max_object_size = kNoMaximum;
  static constexpr std::size_t max_array_size = kNoMaximum;
  static constexpr std::size_t max_key_size = kNoMaximum;
  static constexpr std::size_t max_string_size = kNoMaximum;

  bool on_document_begin(boost::json::error_code& /*ec*/) {
    stack.reset();
    return true;
  }
  bool on_document_end(boost::json::error_code& /*ec*/) { return true; }
  bool on_object_begin(boost::json::error_code& ec) {
    path.enter_object();
    return count(ec);
  }
  bool on_object_end(std::size_t n, boost::json::error_code& /*ec*/) {
    stack.push_object(n);
    path.leave();
    return true;
  }
  bool on_array_begin(boost::json::error_code& ec) {
    path.enter_array();
    return count(ec);
  }
  bool on_array_end(std::size_t n, boost::json::error_code& /*ec*/) {
    stack.push_array(n);
    path.leave();
    return true;
  }
  bool on_key_part(boost::json::string_view s, std::size_t /*n*/, boost::json::error_code& /*ec*/) {
    key_.append(s.data(), s.size());
    stack.push_chars(s);
    return true;
  }
  bool on_key(boost::json::string_view s, std::size_t /*n*/, boost::json::error_code& ec) {
    key_.append(s.data(), s.size());
    stack.push_key(s);
    return path.key(std::exchange(key_, {})) || fail(Fault::kDuplicateKey, ec);
  }
  bool on_string_part(boost::json::string_view s, std::size_t /*n*/, boost::json::error_code& /*ec*/) {
    stack.push_chars(s);
    return true;
  }
  bool on_string(boost::json::string_view s, std::size_t /*n*/, boost::json::error_code& ec) {
    stack.push_string(s);
    return scalar(ec);
  }
  bool on_number_part(boost::json::string_view /*s*/, boost::json::error_code& /*ec*/) { return true; }
  bool on_int64(std::int64_t value, boost::json::string_view /*s*/, boost::json::error_code& ec) {
    stack.push_int64(value);
    return scalar(ec);
  }
  bool on_uint64(std::uint64_t value, boost::json::string_view /*s*/, boost::json::error_code& ec) {
    stack.push_uint64(value);
    return scalar(ec);
  }
  bool on_double(double value, boost::json::string_view /*s*/, boost::json::error_code& ec) {
    stack.push_double(value);
    return scalar(ec);
  }
  bool on_bool(bool value, boost::json::error_code& ec) {
    stack.push_bool(value);
    return scalar(ec);
  }
  bool on_null(boost::json::error_code& ec) {
    stack.push_null();
    return scalar(ec);
  }
  bool on_comment_part(boost::json::string_view /*s*/, boost::json::error_code& /*ec*/) { return true; }
  bool on_comment(boost::json::string_view /*s*/, boost::json::error_code& /*ec*/) { return true; }

  boost::json::value_stack stack;
  JsonPath path;
  Fault fault = Fault::kNone;

 private:
  bool scalar(boost::json::error_code& ec) {
    path.value_done();
    return count(ec);
  }
  bool count(boost::json::error_code& ec) { return ++values_ <= kMaxValues || fail(Fault::kTooManyValues, ec); }
  bool fail(Fault what, boost::json::error_code& ec) {
    fault = what;
    ec = boost::json::error::syntax;
    return false;
  }

  std::string key_;
  std::size_t values_ = 0;
};

using TreeParser = boost::json::basic_parser<TreeHandler>;

inline boost::json::parse_options tree_options() {
  boost::json::parse_options out;
  out.max_depth = kMaxDepth;
  return out;
}

}  // namespace outrigger::wire
