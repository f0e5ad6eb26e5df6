#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/fault.h"
#include "ledger/gaps.h"
#include "ledger/item.h"
#include "ledger/recent.h"

namespace outrigger::ledger {

// Follows a chain line by line. What a line's place in it is often shows only from the next one, so each is judged when
// that has come, and lines that are not what their hash says when the next good one has. Uses some 5 MiB, whatever the
// ledger's size.
class ChainCheck {
 public:
  struct Finding {
    FaultKind kind = FaultKind::kEdited;
    Place place;
    std::uint64_t seq = 0;
    std::string sentence;
  };

  ChainCheck(std::string_view name, const std::vector<std::string>& anchors, std::size_t max_findings);

  // In the order of files and lines.
  void add(const Item& item);
  void report(FaultKind kind, Place place, std::uint64_t seq, std::string sentence);
  // When all have been added: says what is missing still.
  void finish();

  // By place.
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  [[nodiscard]] std::uint64_t finding_count() const { return finding_count_; }
  [[nodiscard]] std::uint64_t first_seq() const { return first_seq_; }
  [[nodiscard]] const std::optional<Item>& last() const { return last_; }

 private:
  struct Anchor {
    std::string hash;
    bool found = false;
  };

  void judge(const Item& item, const Item* next);
  void judge_ahead(const Item& item, const Item* next);
  void judge_late(const Item& item, const Item* next);
  void settle_doubtful(const Item* next_sound);
  void settle_early();
  void begin(const Item& item);
  void check_name(const Item& item);
  void accept(const Item& item);
  void blame_neighbour(const Item& item, const Item* next);
  void open_gap(const Item& item);
  void report_gap(const Gap& gap);
  bool take_anchor(const Hash& hash);
  [[nodiscard]] bool follows(const Item& item) const;
  [[nodiscard]] bool begun() const { return last_.has_value(); }

  std::vector<Anchor> anchors_;
  std::size_t max_findings_;
  std::vector<Finding> findings_;
  std::uint64_t finding_count_ = 0;

  // What the next line should be.
  std::uint64_t expected_ = 1;
  Hash tip_{};
  bool tip_known_ = true;  // not after a line that was changed: its successor may name what it was

  std::optional<Item> held_;    // not judged yet
  std::vector<Item> doubtful_;  // since the last sound line, as far as they are kept
  std::uint64_t doubtful_count_ = 0;
  std::vector<Item> early_;  // sound, with a seq to come, among lines that are in order
  Gaps gaps_;
  Recent recent_;
  std::uint64_t first_seq_ = 0;
  std::optional<Item> last_;  // in the chain
};

}  // namespace outrigger::ledger
