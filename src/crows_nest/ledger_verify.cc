#include <poll.h>

#include <algorithm>

#include "crows_nest/verbs.h"
#include "ledger/query.h"
#include "ledger/verify.h"
#include "wire/json_writer.h"
#include "witness/incidents.h"
#include "witness/ledger_place.h"

namespace outrigger::crows_nest {
namespace {

using wire::JsonWriter;

struct Checked {
  std::string name;
  ledger::Verification result;
};

std::vector<std::string> ledgers_of(const std::vector<std::string>& asked) {
  if (!asked.empty()) return asked;
  return {witness::kExecutionLedger, witness::kIncidentLedger};
}

// The auditor may be at work, and its newest line half there: that one is looked at again.
base::Result<ledger::Verification> verify_calmly(int dir, const std::string& name,
                                                 const std::vector<std::string>& anchors) {
  constexpr int kLooks = 5;
  constexpr int kBetweenMs = 50;
  for (int look = 1;; ++look) {
    auto result = ledger::verify(dir, name, {.anchors = anchors});
    if (!result || look == kLooks) return result;
    const bool only_torn = result->fault_count == 1 && result->faults.front().kind == ledger::FaultKind::kTorn;
    if (!only_torn) return result;
    ::poll(nullptr, 0, kBetweenMs);
  }
}

// An anchor is a line of one of the ledgers: which, it does not say. One that is in none is a fault of the whole.
std::vector<std::string> anchors_nobody_has(std::vector<Checked>& checked, const std::vector<std::string>& anchors) {
  std::vector<std::string> missing;
  for (const std::string& anchor : anchors) {
    const auto lacks = [&anchor](const Checked& each) {
      return std::ranges::any_of(each.result.faults, [&anchor](const ledger::Fault& fault) {
        return fault.kind == ledger::FaultKind::kAnchorMissing && fault.sentence.find(anchor) != std::string::npos;
      });
    };
    if (std::ranges::all_of(checked, lacks)) missing.push_back(anchor);
  }
  for (Checked& each : checked) {
    const auto removed = std::erase_if(
        each.result.faults, [](const ledger::Fault& fault) { return fault.kind == ledger::FaultKind::kAnchorMissing; });
    each.result.fault_count -= removed;
  }
  return missing;
}

void write_json(JsonWriter& writer, const Checked& checked) {
  const ledger::Verification& result = checked.result;
  writer.begin_object();
  writer.key("ledger").text(checked.name);
  writer.key("sound").boolean(result.sound());
  writer.key("lines").number(result.lines);
  writer.key("segments").number(result.segments);
  writer.key("first_seq").number(result.first_seq);
  writer.key("head").begin_object();
  writer.key("seq").number(result.head.seq);
  writer.key("hash").text(result.head.hash);
  writer.end_object();
  writer.key("fault_count").number(result.fault_count);
  writer.key("faults").begin_array();
  for (const ledger::Fault& fault : result.faults) {
    writer.begin_object();
    writer.key("kind").text(ledger::fault_name(fault.kind));
    writer.key("file").text_or_null(fault.file);
    writer.key("line").number(fault.line);
    writer.key("seq").number(fault.seq);
    writer.key("text").text(fault.sentence);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
}

std::string as_json(const std::vector<Checked>& checked, const std::vector<std::string>& missing, bool sound) {
  JsonWriter writer;
  writer.begin_object();
  writer.key("sound").boolean(sound);
  writer.key("ledgers").begin_array();
  for (const Checked& each : checked) write_json(writer, each);
  writer.end_array();
  writer.key("missing_anchors").begin_array();
  for (const std::string& anchor : missing) writer.text(anchor);
  writer.end_array();
  writer.end_object();
  return writer.take() + "\n";
}

std::string place_of(const ledger::Fault& fault) {
  if (fault.file.empty()) return {};
  return fault.file + ", line " + std::to_string(fault.line) + ": ";
}

std::string as_text(const std::vector<Checked>& checked, const std::vector<std::string>& missing) {
  std::string out;
  for (const Checked& each : checked) {
    const ledger::Verification& result = each.result;
    out += each.name + ": " + std::to_string(result.lines) + " lines in " + std::to_string(result.segments) +
           (result.segments == 1 ? " file, " : " files, ");
    out += result.sound() ? "sound"
                          : std::to_string(result.fault_count) + (result.fault_count == 1 ? " fault" : " faults");
    if (result.head.seq > 0) out += "; head " + std::to_string(result.head.seq) + " " + result.head.hash;
    out += "\n";
    for (const ledger::Fault& fault : result.faults) {
      out += "  " + std::string(ledger::fault_name(fault.kind)) + ": " + place_of(fault) + fault.sentence + "\n";
    }
    if (result.fault_count > result.faults.size()) {
      out += "  ... and " + std::to_string(result.fault_count - result.faults.size()) + " more\n";
    }
  }
  for (const std::string& anchor : missing) {
    out += "anchor " + anchor + " is in no chain: lines were cut off its end, or the chain was made anew\n";
  }
  return out;
}

}  // namespace

int run(const LedgerVerifyOptions& options) {
  const auto config = load_settings(options.settings);
  if (!config) return cannot(config.error());
  const auto dir = witness::open_ledger_dir(config->paths);
  if (!dir) return cannot(dir.error());
  std::vector<Checked> checked;
  for (const std::string& name : ledgers_of(options.ledgers)) {
    auto result = verify_calmly(dir->get(), name, options.anchors);
    if (!result) return cannot(result.error());
    checked.push_back({name, std::move(*result)});
  }
  const auto missing = anchors_nobody_has(checked, options.anchors);
  const bool sound =
      missing.empty() && std::ranges::all_of(checked, [](const Checked& each) { return each.result.sound(); });
  return print(options.json ? as_json(checked, missing, sound) : as_text(checked, missing),
               sound ? kHealthy : kFindings);
}

int run(const LedgerHeadOptions& options) {
  const auto config = load_settings(options.settings);
  if (!config) return cannot(config.error());
  const auto dir = witness::open_ledger_dir(config->paths);
  if (!dir) return cannot(dir.error());
  JsonWriter writer;
  std::string text;
  writer.begin_object();
  for (const std::string& name : ledgers_of(options.ledgers)) {
    const auto head = ledger::head(dir->get(), name);
    if (!head) return cannot(head.error());
    writer.key(name);
    if (!*head) {
      writer.null();
      text += name + ": no line yet\n";
      continue;
    }
    writer.begin_object().key("seq").number((*head)->seq);
    writer.key("hash").text((*head)->hash).end_object();
    text += name + ": " + std::to_string((*head)->seq) + " " + (*head)->hash + "\n";
  }
  writer.end_object();
  return print(options.json ? writer.take() + "\n" : text);
}

}  // namespace outrigger::crows_nest
