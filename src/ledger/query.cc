#include "ledger/query.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "ledger/match.h"
#include "ledger/scan.h"
#include "ledger/segments.h"
#include "ledger/tail.h"
#include "wire/time_text.h"

namespace outrigger::ledger {
namespace {

base::Result<std::vector<Segment>> ordered_segments(int dir, std::string_view name, Order order) {
  auto segments = list_segments(dir, name);
  if (segments && order == Order::kNewestFirst) std::ranges::reverse(*segments);
  return segments;
}

// The ids that a line's "job_id" may have, without taking the line apart: of a million lines few are asked for.
class WantedIds {
 public:
  explicit WantedIds(const std::set<std::string>& ids) : left_(ids.begin(), ids.end()) {}

  void look_at(std::string_view text) {
    static constexpr std::string_view kKey = R"("job_id")";
    for (std::size_t at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at + 1)) {
      if (!left_.contains(value_after(text.substr(at + kKey.size())))) continue;
      const auto id = text_member(text, "job_id");
      if (id && left_.erase(*id) > 0) found_.insert(*id);
      return;
    }
  }
  [[nodiscard]] bool all_found() const { return left_.empty(); }
  std::set<std::string> take() { return std::move(found_); }

 private:
  static std::string_view value_after(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r:");
    if (begin == std::string_view::npos || text[begin] != '"') return {};
    return text.substr(begin + 1, text.find('"', begin + 1) - begin - 1);
  }

  std::unordered_set<std::string_view> left_;  // views into the caller's
  std::set<std::string> found_;
};

}  // namespace

base::Status for_each_line(int dir, std::string_view name, Order order, const LineCallback& callback) {
  const auto segments = ordered_segments(dir, name, order);
  if (!segments) return std::unexpected(segments.error());
  for (const Segment& segment : *segments) {
    const auto more = scan(dir, segment, order, callback);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
  }
  return {};
}

base::Status find(int dir, std::string_view name, const Filter& filter, Order order, const LineCallback& callback) {
  const auto segments = ordered_segments(dir, name, order);
  if (!segments) return std::unexpected(segments.error());
  const Matcher matcher(filter);
  for (const Segment& segment : *segments) {
    if (!matcher.since().empty()) {
      const auto last = recorded_at(dir, segment, Order::kNewestFirst);
      if (!last) return std::unexpected(last.error());
      if (!last->empty() && *last < matcher.since()) continue;
    }
    const auto more =
        scan(dir, segment, order, [&](std::string_view text) { return !matcher.matches(text) || callback(text); });
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
  }
  return {};
}

base::Result<std::optional<Head>> head(int dir, std::string_view name) {
  auto tail = read_tail(dir, name);
  if (!tail) return std::unexpected(tail.error());
  if (tail->head.seq == 0) return std::nullopt;
  return std::move(tail->head);
}

base::Result<std::set<std::string>> known(int dir, std::string_view name, const std::set<std::string>& job_ids,
                                          std::chrono::system_clock::time_point since) {
  const auto segments = ordered_segments(dir, name, Order::kNewestFirst);
  if (!segments) return std::unexpected(segments.error());
  const std::string oldest = wire::time_text(since);
  WantedIds wanted(job_ids);
  for (const Segment& segment : *segments) {
    if (wanted.all_found()) break;
    const auto more = scan(dir, segment, Order::kNewestFirst, [&](std::string_view text) {
      wanted.look_at(text);
      return !wanted.all_found();
    });
    if (!more) return std::unexpected(more.error());
    const auto first = recorded_at(dir, segment, Order::kOldestFirst);
    if (!first) return std::unexpected(first.error());
    if (!first->empty() && *first < oldest) break;
  }
  return wanted.take();
}

}  // namespace outrigger::ledger
