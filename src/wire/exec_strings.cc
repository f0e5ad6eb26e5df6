#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "wire/json_tree.h"
#include "wire/request_sections.h"

namespace outrigger::wire {
namespace {

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

// POSIX.1-2017, section 8.1, with lower case: what every shell can hand on.
bool is_environment_name(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// Adds up what execve(2) will copy, and refuses the string at which it becomes too much.
class ExecBudget {
 public:
  ExecBudget(const RequestRules& rules, Refusal& refusal) : rules_(rules), refusal_(refusal) {}

  void spend(const std::string& field, std::size_t bytes) {
    const std::size_t with_zero = bytes + 1;
    total_ += with_zero + sizeof(char*);
    ++count_;
    if (with_zero > rules_.max_exec_string) {
      refusal_.invalid(field, "must be shorter than " + std::to_string(rules_.max_exec_string) +
                                  " bytes (the kernel's limit on one argument, E2BIG); pass it as stdin or a file");
    } else if (total_ > rules_.max_exec_total) {
      refusal_.invalid(field, "brings args and env together above " + std::to_string(rules_.max_exec_total) +
                                  " bytes; pass large data as stdin or files");
    } else if (count_ > rules_.max_exec_strings) {
      refusal_.invalid(field, "brings args and env together above " + std::to_string(rules_.max_exec_strings) +
                                  " strings; pass long lists as stdin or files");
    }
  }

 private:
  const RequestRules& rules_;
  Refusal& refusal_;
  std::size_t total_ = 0;
  std::size_t count_ = 0;
};

// A member of args or env as text; refused where it is no string or holds the byte that ends a C string.
std::string exec_text(const boost::json::value& value, const std::string& field, Refusal& refusal) {
  const boost::json::string* text = value.if_string();
  if (text == nullptr) {
    refusal.invalid(field, "must be a string");
    return {};
  }
  if (std::ranges::find(*text, '\0') != text->end()) refusal.invalid(field, "must not contain a NUL character");
  return {text->data(), text->size()};
}

}  // namespace

void read_args_and_env(const Fields& fields, const RequestRules& rules, Refusal& refusal, model::Job& job) {
  ExecBudget budget(rules, refusal);
  if (const boost::json::array* args = fields.optional_array("args")) {
    for (std::size_t i = 0; i < args->size() && !refusal; ++i) {
      const std::string field = fields.path("args") + "[" + std::to_string(i) + "]";
      job.args.push_back(exec_text((*args)[i], field, refusal));
      budget.spend(field, job.args.back().size());
    }
  }
  if (const boost::json::object* env = fields.optional_object("env")) {
    for (const auto& member : *env) {
      if (refusal) return;
      std::string name(member.key().data(), member.key().size());
      const std::string field = fields.path("env") + "." + shortened(name);
      if (!is_environment_name(name)) {
        refusal.invalid(field, "must be named by letters, digits and _, not beginning with a digit");
      }
      std::string value = exec_text(member.value(), field, refusal);
      budget.spend(field, name.size() + 1 + value.size());
      job.env.emplace_back(std::move(name), std::move(value));
    }
  }
}

}  // namespace outrigger::wire
