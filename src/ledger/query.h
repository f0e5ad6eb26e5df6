#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ledger/line.h"

// Reading a ledger without a lock, while a writer may be at work. `dir` stays the caller's. Only finished lines are
// read, and nothing is verified (verify.h). Error everywhere: kSystem.
namespace outrigger::ledger {

enum class Order { kOldestFirst, kNewestFirst };

// Called with a line without its newline, good until it returns; false ends the reading.
using LineCallback = std::function<bool(std::string_view line)>;

// All lines of all files, whatever they are worth; without those that are longer than kMaxLine.
base::Status for_each_line(int dir, std::string_view name, Order order, const LineCallback& callback);

// What has to be so of a line; what isn't set doesn't matter. The texts are those of top-level members, or
// of the `code` of one that is an object.
struct Filter {
  std::optional<std::string> job_id = std::nullopt;
  std::optional<std::string> tenant_id = std::nullopt;
  std::optional<std::string> cause = std::nullopt;
  std::optional<std::string> rule = std::nullopt;
  std::optional<std::chrono::system_clock::time_point> since = std::nullopt;  // recorded then or later
};

// The lines that match. A file whose last line is older than `since` is passed over.
base::Status find(int dir, std::string_view name, const Filter& filter, Order order, const LineCallback& callback);

// What the next line would follow: the last finished line that can be read. Nothing if there is none. Reads only the
// end of the newest file. What it names may not be on the disk yet.
base::Result<std::optional<Head>> head(int dir, std::string_view name);

// Which of these jobs have a line, by its member "job_id". From the newest file to the oldest, until all are found or a
// file began before `since`.
base::Result<std::set<std::string>> known(int dir, std::string_view name, const std::set<std::string>& job_ids,
                                          std::chrono::system_clock::time_point since);

}  // namespace outrigger::ledger
