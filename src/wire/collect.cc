#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "base/glob.h"
#include "wire/request_sections.h"

namespace outrigger::wire {

void read_collect(const Fields& fields, const RequestRules& rules, Refusal& refusal, model::Job& job) {
  const boost::json::array* patterns = fields.optional_array("collect");
  if (patterns == nullptr) return;
  if (patterns->size() > rules.max_collect) {
    return refusal.invalid("collect", "must not have more than " + std::to_string(rules.max_collect) + " patterns");
  }
  for (std::size_t i = 0; i < patterns->size() && !refusal; ++i) {
    const std::string where = fields.path("collect") + "[" + std::to_string(i) + "]";
    const boost::json::string* pattern = (*patterns)[i].if_string();
    if (pattern == nullptr) return refusal.invalid(where, "must be a string");
    if (const std::string_view fault = base::Glob::fault(*pattern); !fault.empty())
      return refusal.invalid(where, fault);
    job.collect.emplace_back(*pattern);
  }
}

}  // namespace outrigger::wire
