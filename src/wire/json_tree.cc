#include "wire/json_tree.h"

#include "base/utf8.h"
#include "wire/json_fault.h"
#include "wire/tree_handler.h"

namespace outrigger::wire {
namespace {

constexpr std::size_t kMaxNameLength = 64;

}  // namespace

std::string shortened(std::string_view name) {
  if (name.size() <= kMaxNameLength) return std::string(name);
  const std::string_view head = name.substr(0, kMaxNameLength);
  return std::string(head.substr(0, base::complete_prefix(head))) + "\xe2\x80\xa6";
}

std::expected<boost::json::value, RequestError> parse_tree(std::string_view text) {
  TreeParser parser(tree_options());
  boost::json::error_code ec;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), ec);
  if (!ec && used < text.size()) {
    return std::unexpected(RequestError{base::Code::kInvalid, "",
                                        "the request body goes on after its JSON, at byte " + std::to_string(used)});
  }
  if (ec) return std::unexpected(describe_fault(text, parser.handler(), ec));
  return parser.handler().stack.release();
}

std::expected<boost::json::object, RequestError> parse_object(std::string_view text, std::string_view what) {
  auto tree = parse_tree(text);
  if (!tree) return std::unexpected(std::move(tree.error()));
  if (tree->is_object()) return std::move(tree->get_object());
  return std::unexpected(RequestError{base::Code::kInvalid, "", std::string(what) + " must be a JSON object"});
}

}  // namespace outrigger::wire
