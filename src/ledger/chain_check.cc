#include "ledger/chain_check.h"

#include <algorithm>
#include <utility>

namespace outrigger::ledger {
namespace {

// Lines that wait for their judgement are kept up to so many; beyond it they are judged by what is known.
constexpr std::size_t kMaxWaiting = 4096;

// Whether the chain goes on from this line, and not from the one of the same number before it.
bool supplants(const Item& item, const Item& last, const Item& next) {
  return item.seq == last.seq && item.prev == last.prev && next.sound && next.seq == item.seq + 1 &&
         next.prev == item.hash;
}

std::string line_word(std::uint64_t seq) { return "line " + std::to_string(seq); }

}  // namespace

ChainCheck::ChainCheck(std::string_view name, const std::vector<std::string>& anchors, std::size_t max_findings)
    : max_findings_(max_findings), tip_(to_hash(before_first(name).hash)) {
  for (const std::string& anchor : anchors) anchors_.push_back({anchor, anchor == view(tip_)});
}

void ChainCheck::report(FaultKind kind, Place place, std::uint64_t seq, std::string sentence) {
  ++finding_count_;
  if (findings_.size() < max_findings_) findings_.push_back({kind, place, seq, std::move(sentence)});
}

void ChainCheck::add(const Item& item) {
  if (held_) judge(*held_, &item);
  held_ = item;
}

bool ChainCheck::follows(const Item& item) const {
  return item.sound && item.seq == expected_ && (!tip_known_ || item.prev == tip_);
}

void ChainCheck::judge(const Item& item, const Item* next) {
  if (!item.sound) {
    ++doubtful_count_;
    if (doubtful_.size() < kMaxWaiting) {
      doubtful_.push_back(item);
    } else if (!item.reported) {
      report(FaultKind::kMalformed, item.place, 0, "One of many lines here that are not what they should be.");
    }
    return;
  }
  settle_doubtful(&item);
  if (!begun() && item.seq > 1 && take_anchor(item.prev)) begin(item);
  if (follows(item)) {
    check_name(item);
    accept(item);
  } else if (item.seq < expected_) {
    judge_late(item, next);
  } else {
    judge_ahead(item, next);
  }
}

// The first line of a ledger whose older files are archived, as the anchor shows.
void ChainCheck::begin(const Item& item) {
  expected_ = item.seq;
  tip_ = item.prev;
  tip_known_ = true;
}

// Of a file whose lines are in order: else there is more to say of it already.
void ChainCheck::check_name(const Item& item) {
  if (item.named_seq == 0 || item.named_seq == item.seq) return;
  report(FaultKind::kMalformed, item.place, item.seq,
         "The file is named for " + line_word(item.named_seq) + " and begins with " + line_word(item.seq) + ".");
}

// The lines that are not sound stand for as many lines of the chain, unless the chain goes on without them.
void ChainCheck::settle_doubtful(const Item* next_sound) {
  if (doubtful_count_ == 0) return;
  const Item& first = doubtful_.front();
  if (!begun() && first.readable && first.seq > 1 && take_anchor(first.prev)) begin(first);
  const bool inserted = next_sound != nullptr && tip_known_ && follows(*next_sound);
  for (const Item& item : doubtful_) {
    if (item.reported) continue;
    if (inserted) {
      report(FaultKind::kInserted, item.place, item.seq, "No line of this chain: its neighbours follow each other.");
    } else if (item.readable) {
      report(FaultKind::kEdited, item.place, item.seq, "The line does not give the hash that it carries.");
    } else {
      report(FaultKind::kMalformed, item.place, 0, "The line is not of a ledger's form.");
    }
  }
  if (!inserted && next_sound != nullptr && next_sound->seq > expected_) {
    expected_ += std::min(doubtful_count_, next_sound->seq - expected_);
    tip_known_ = false;
  }
  doubtful_.clear();
  doubtful_count_ = 0;
}

void ChainCheck::accept(const Item& item) {
  if (!early_.empty()) {
    const auto copy = std::ranges::find_if(
        early_, [&](const Item& early) { return early.seq == item.seq && early.hash == item.hash; });
    if (copy != early_.end()) {
      report(FaultKind::kDuplicated, copy->place, copy->seq, "A copy of a line that stands further on.");
      early_.erase(copy);
    }
  }
  if (!begun()) first_seq_ = item.seq;
  recent_.put(item.seq, item.hash);
  take_anchor(item.hash);
  last_ = item;
  expected_ = item.seq + 1;
  tip_ = item.hash;
  tip_known_ = true;
}

// Sound, but not what should come here, nor what has been.
void ChainCheck::judge_ahead(const Item& item, const Item* next) {
  if (next != nullptr && tip_known_ && follows(*next)) {
    if (item.seq > expected_ && early_.size() < kMaxWaiting) {
      early_.push_back(item);  // moved, copied or foreign: that shows when the chain comes there
    } else {
      report(FaultKind::kInserted, item.place, item.seq, "No line of this chain: its neighbours follow each other.");
    }
    return;
  }
  if (item.seq == expected_) {
    blame_neighbour(item, next);
  } else {
    open_gap(item);
    accept(item);
  }
}

// Numbers in order, and a predecessor named that isn't there: one of the two was changed and its hash made anew.
void ChainCheck::blame_neighbour(const Item& item, const Item* next) {
  const bool next_agrees = next == nullptr || !next->sound || next->seq != item.seq + 1 || next->prev == item.hash;
  if (!last_) {
    report(FaultKind::kInserted, item.place, item.seq, "This is the beginning of another ledger's chain.");
    accept(item);
  } else if (next_agrees) {
    report(FaultKind::kEdited, last_->place, last_->seq,
           "The line after it names another predecessor: this one was exchanged, or changed and its hash made anew.");
    accept(item);
  } else {
    report(FaultKind::kEdited, item.place, item.seq,
           "Neither neighbour knows it: the line was exchanged, or changed and its hash made anew.");
    accept(item);
    tip_known_ = false;
  }
}

void ChainCheck::open_gap(const Item& item) {
  const Gap gap{expected_, item.seq - 1, tip_known_ ? std::optional(tip_) : std::nullopt,
                item.prev, item.place,   !begun()};
  Gaps here;
  here.open(gap);
  std::erase_if(early_, [&](const Item& early) {
    if (!here.fill(early)) return false;
    report(FaultKind::kReordered, early.place, early.seq, "The line belongs further on.");
    return true;
  });
  for (const Gap& left : here.left()) {
    if (!gaps_.open(left)) report_gap(left);
  }
}

void ChainCheck::report_gap(const Gap& gap) {
  std::string sentence = gap.first == gap.last ? "Missing before this: " + line_word(gap.first) + "."
                                               : "Missing before this: lines " + std::to_string(gap.first) + " to " +
                                                     std::to_string(gap.last) + ".";
  if (gap.at_beginning) {
    sentence += " If they were archived, give the hash of the last of them as an anchor; this line names it.";
  }
  report(FaultKind::kRemoved, gap.place, gap.first, std::move(sentence));
}

// Sound, and its number has passed.
void ChainCheck::judge_late(const Item& item, const Item* next) {
  if (gaps_.fill(item)) {
    report(FaultKind::kReordered, item.place, item.seq, "The line belongs further up.");
    take_anchor(item.hash);
    return;
  }
  const auto known = recent_.find(item.seq);
  if (known && *known == item.hash) {
    report(FaultKind::kDuplicated, item.place, item.seq, "A copy of a line that stands further up.");
    return;
  }
  if (last_ && next != nullptr && supplants(item, *last_, *next)) {
    report(FaultKind::kInserted, last_->place, last_->seq, "The chain goes on from another line of this number.");
    accept(item);
    return;
  }
  if (known || item.seq < first_seq_) {
    report(FaultKind::kInserted, item.place, item.seq, "The chain has another line of this number.");
  } else {
    report(FaultKind::kDuplicated, item.place, item.seq, "A line of this number stands far up.");
  }
}

// What was out of place and has not been met by the chain: a line that belongs to its very end, or none of it.
void ChainCheck::settle_early() {
  std::ranges::sort(early_, {}, &Item::seq);
  for (const Item& item : std::exchange(early_, {})) {
    if (follows(item)) {
      report(FaultKind::kReordered, item.place, item.seq, "The line belongs further on.");
      accept(item);
    } else {
      report(FaultKind::kInserted, item.place, item.seq, "No line of this chain: its neighbours follow each other.");
    }
  }
}

bool ChainCheck::take_anchor(const Hash& hash) {
  bool is_one = false;
  for (Anchor& anchor : anchors_) {
    if (anchor.hash != view(hash)) continue;
    anchor.found = true;
    is_one = true;
  }
  return is_one;
}

void ChainCheck::finish() {
  if (const auto held = std::exchange(held_, std::nullopt)) judge(*held, nullptr);
  settle_doubtful(nullptr);
  settle_early();
  for (const Gap& gap : gaps_.left()) report_gap(gap);
  std::ranges::sort(findings_, {}, [](const Finding& finding) { return std::pair(finding.place, finding.seq); });
  for (const Anchor& anchor : anchors_) {
    if (anchor.found) continue;
    ++finding_count_;
    findings_.push_back(
        {FaultKind::kAnchorMissing,
         {},
         0,
         "No line has the hash " + anchor.hash + ": the ledger was cut off before that line, or made anew."});
  }
}

}  // namespace outrigger::ledger
