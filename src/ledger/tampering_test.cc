#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "ledger/test_ledger.h"

// What somebody with an editor may do to a ledger of one file and eight lines, and what verify() makes of it.
namespace outrigger::ledger {
namespace {

constexpr const char* kFile = "execution-000000000001.jsonl";
using Lines = std::vector<std::string>;

// A line of this number and content that is what its hash says.
std::string forged(std::uint64_t seq, std::string_view prev, std::string_view members) {
  std::string text;
  append_line(text, {seq - 1, std::string(prev)}, "2025-01-31T09:30:00.125000Z", members);
  return text;
}

std::string hash_in(const std::string& line) { return std::string(parse_line(line.substr(0, line.size() - 1))->hash); }

void replace(std::string& line, std::string_view what, std::string_view by) {
  line.replace(line.find(what), what.size(), by);
}

void edit(Lines& l, std::size_t seq) { replace(l[seq - 1], "\"n\":", "\"m\":"); }

void rehash(Lines& l, std::size_t seq) {
  const std::string line = l[seq - 1].substr(0, l[seq - 1].size() - 1);
  const auto parsed = parse_line(line);
  l[seq - 1] = forged(parsed->seq, parsed->prev, parsed->members);
}

void rehash_from(Lines& l, std::size_t seq) {
  for (std::size_t i = seq; i <= l.size(); ++i) {
    l[i - 1] = forged(i, hash_in(l[i - 2]), "\"n\":0");
  }
}

void move_line(Lines& l, std::size_t from, std::size_t to) {
  const std::string line = l[from - 1];
  l.erase(l.begin() + static_cast<std::ptrdiff_t>(from - 1));
  l.insert(l.begin() + static_cast<std::ptrdiff_t>(to - 1), line);
}

void put(Lines& l, std::size_t at, const std::string& line) {
  l.insert(l.begin() + static_cast<std::ptrdiff_t>(at - 1), line);
}

void cut(Lines& l, std::size_t from, std::size_t count) {
  const auto first = l.begin() + static_cast<std::ptrdiff_t>(from - 1);
  l.erase(first, first + static_cast<std::ptrdiff_t>(count));
}

struct Manipulation {
  std::string what;
  std::function<void(Lines&)> act;
  std::string found;
};

const std::string kForeign = make_chain(4, "incidents")[3];

const std::vector<Manipulation> kManipulations = {
    {"nothing", [](Lines&) {}, ""},
    {"a line's content edited", [](Lines& l) { edit(l, 4); }, "edited 4"},
    {"the first line edited", [](Lines& l) { edit(l, 1); }, "edited 1"},
    {"the last line edited", [](Lines& l) { edit(l, 8); }, "edited 8"},
    {"three in a row edited", [](Lines& l) { edit(l, 3), edit(l, 4), edit(l, 5); }, "edited 3, edited 4, edited 5"},
    {"all edited",
     [](Lines& l) {
       for (std::size_t i = 1; i <= 8; ++i) edit(l, i);
     },
     "edited 1, edited 2, edited 3, edited 4, edited 5, edited 6, edited 7, edited 8"},
    {"a line's number edited", [](Lines& l) { replace(l[3], "\"seq\":4", "\"seq\":7"); }, "edited 7"},
    {"a line's time edited", [](Lines& l) { replace(l[3], "2025", "2024"); }, "edited 4"},
    {"a line's predecessor edited", [](Lines& l) { replace(l[3], hash_in(l[2]), hash_in(l[0])); }, "edited 4"},
    {"a line's hash edited", [](Lines& l) { replace(l[3], hash_in(l[3]), hash_in(l[0])); }, "edited 4"},
    {"a line edited and hashed anew", [](Lines& l) { edit(l, 4), rehash(l, 4); }, "edited 4"},
    {"the first line edited and hashed anew", [](Lines& l) { edit(l, 1), rehash(l, 1); }, "edited 1"},
    {"a line's predecessor edited and the line hashed anew",
     [](Lines& l) { replace(l[3], hash_in(l[2]), hash_in(l[0])), rehash(l, 4); }, "edited 4"},
    {"a line exchanged for another ledger's", [](Lines& l) { l[3] = kForeign; }, "edited 4"},
    {"spaces put into a line", [](Lines& l) { replace(l[3], ",\"recorded_at\"", " ,\"recorded_at\""); }, "malformed 0"},
    {"a line broken in two", [](Lines& l) { l[3].insert(100, "\n"); }, "malformed 0, malformed 0"},
    {"two lines joined", [](Lines& l) { l[3].pop_back(); }, "edited 4, removed 5"},

    {"a line removed", [](Lines& l) { cut(l, 4, 1); }, "removed 4"},
    {"three lines removed", [](Lines& l) { cut(l, 4, 3); }, "removed 4"},
    {"lines removed in two places", [](Lines& l) { cut(l, 6, 1), cut(l, 2, 1); }, "removed 2, removed 6"},
    {"the first line removed", [](Lines& l) { cut(l, 1, 1); }, "removed 1"},
    {"a line edited and the next removed", [](Lines& l) { edit(l, 4), cut(l, 5, 1); }, "edited 4, removed 5"},

    {"text put in", [](Lines& l) { put(l, 4, "hello\n"); }, "inserted 0"},
    {"an empty line put in", [](Lines& l) { put(l, 4, "\n"); }, "inserted 0"},
    {"an empty line put in at the front", [](Lines& l) { put(l, 1, "\n"); }, "inserted 0"},
    {"an empty line added at the end", [](Lines& l) { l.emplace_back("\n"); }, "malformed 0"},
    {"a line longer than any put in", [](Lines& l) { put(l, 4, std::string(2 * kMaxLine, 'x') + "\n"); }, "inserted 0"},
    {"a forged line with a good predecessor put in", [](Lines& l) { put(l, 4, forged(4, hash_in(l[2]), "\"x\":1")); },
     "inserted 4"},
    {"a forged line with another predecessor put in", [](Lines& l) { put(l, 4, forged(4, hash_in(l[0]), "\"x\":1")); },
     "inserted 4"},
    {"a forged line with a high number put in", [](Lines& l) { put(l, 4, forged(400, hash_in(l[2]), "\"x\":1")); },
     "inserted 400"},
    {"a forged line with a low number put in", [](Lines& l) { put(l, 4, forged(2, hash_in(l[0]), "\"x\":1")); },
     "inserted 2"},
    {"another ledger's line put in", [](Lines& l) { put(l, 4, kForeign); }, "inserted 4"},
    {"another ledger's line put in at the front", [](Lines& l) { put(l, 1, kForeign); }, "inserted 4"},
    {"a broken copy put in", [](Lines& l) { put(l, 4, l[2]), edit(l, 4); }, "inserted 3"},

    {"neighbours swapped", [](Lines& l) { std::swap(l[3], l[4]); }, "reordered 5"},
    {"the first two swapped", [](Lines& l) { std::swap(l[0], l[1]); }, "reordered 2"},
    {"the last two swapped", [](Lines& l) { std::swap(l[6], l[7]); }, "reordered 8"},
    {"distant lines swapped", [](Lines& l) { std::swap(l[1], l[5]); },
     "reordered 3, reordered 4, reordered 5, reordered 2"},
    {"a line moved down", [](Lines& l) { move_line(l, 2, 6); }, "reordered 2"},
    {"a line moved to the end", [](Lines& l) { move_line(l, 2, 8); }, "reordered 2"},
    {"the first line moved to the end", [](Lines& l) { move_line(l, 1, 8); }, "reordered 1"},
    {"a line moved up", [](Lines& l) { move_line(l, 6, 2); }, "reordered 6"},
    {"the last line moved to the front", [](Lines& l) { move_line(l, 8, 1); }, "reordered 8"},
    {"a line moved and another removed", [](Lines& l) { move_line(l, 7, 2), cut(l, 5, 1); }, "reordered 7, removed 4"},

    {"a line doubled", [](Lines& l) { put(l, 4, l[2]); }, "duplicated 3"},
    {"the last line doubled", [](Lines& l) { put(l, 9, l[7]); }, "duplicated 8"},
    {"a line copied to the end", [](Lines& l) { put(l, 9, l[2]); }, "duplicated 3"},
    {"a line copied to the front", [](Lines& l) { put(l, 1, l[5]); }, "duplicated 6"},

    {"the newline cut off", [](Lines& l) { l.back().pop_back(); }, "torn 8"},
    {"an unfinished line", [](Lines& l) { l.emplace_back("{\"seq\":"); }, "torn 0"},
    {"NUL bytes at the end", [](Lines& l) { l.emplace_back(4096, '\0'); }, "torn 0"},

    // Only an anchor finds these.
    {"lines cut off at the end", [](Lines& l) { cut(l, 6, 3); }, ""},
    {"the last line edited and hashed anew", [](Lines& l) { edit(l, 8), rehash(l, 8); }, ""},
    {"everything from a line on made anew", [](Lines& l) { rehash_from(l, 4); }, ""},
    {"everything removed", [](Lines& l) { l.clear(); }, ""},
};

TEST(LedgerTampering, EachManipulationIsFoundAndNamed) {
  const TestDir dir(Where::kMemory);
  for (const Manipulation& one : kManipulations) {
    Lines lines = make_chain(8);
    one.act(lines);
    dir.write(kFile, join(lines));
    EXPECT_EQ(summary(verify_or_fail(dir)), one.found) << one.what;
  }
}

TEST(LedgerTampering, AnAnchorFindsWhatTheChainAloneCannot) {
  const TestDir dir(Where::kMemory);
  const std::string anchor = hash_in(make_chain(8).back());
  int found = 0;
  for (const Manipulation& one : kManipulations) {
    Lines lines = make_chain(8);
    one.act(lines);
    dir.write(kFile, join(lines));
    const Verification result = verify_or_fail(dir, {anchor});
    EXPECT_EQ(result.sound(), one.what == "nothing") << one.what;
    if (one.found.empty() && one.what != "nothing") {
      EXPECT_EQ(summary(result), "anchor_missing 0") << one.what;
      ++found;
    }
  }
  EXPECT_EQ(found, 4);
}

TEST(LedgerTampering, AFaultSaysWhereItIs) {
  const TestDir dir(Where::kMemory);
  Lines lines = make_chain(8);
  edit(lines, 4);
  dir.write(kFile, join(lines));
  const Verification result = verify_or_fail(dir);
  ASSERT_EQ(result.faults.size(), 1U);
  EXPECT_EQ(result.faults[0].file, kFile);
  EXPECT_EQ(result.faults[0].line, 4U);
  EXPECT_FALSE(result.faults[0].sentence.empty());
  EXPECT_EQ(result.head.seq, 8U);
}

// Every byte of two files with two lines each: changed in some ways, removed, and something put before it.
TEST(LedgerTampering, NoByteCanBeTouchedUnnoticed) {
  const TestDir dir(Where::kMemory);
  const Lines chain = make_chain(4);
  const std::vector<std::pair<std::string, std::string>> files = {
      {kFile, chain[0] + chain[1]}, {"execution-000000000003.jsonl", chain[2] + chain[3]}};
  for (const auto& [file, content] : files) dir.write(file, content);
  ASSERT_TRUE(verify_or_fail(dir).sound());
  for (const auto& [file, content] : files) {
    for (std::size_t i = 0; i < content.size(); ++i) {
      std::vector<std::string> changed;
      for (const char by :
           {static_cast<char>(content[i] ^ 1), static_cast<char>(content[i] ^ 0x20), '\n', ' ', '0', '\0'}) {
        if (by == content[i]) continue;
        changed.push_back(content);
        changed.back()[i] = by;
      }
      changed.push_back(std::string(content).erase(i, 1));
      for (const std::string put : {" ", "\n", "0", "\t", "\r"}) changed.push_back(std::string(content).insert(i, put));
      for (const std::string& text : changed) {
        dir.write(file, text);
        ASSERT_FALSE(verify_or_fail(dir).sound()) << file << " at byte " << i << ": " << text;
      }
    }
    dir.write(file, content + " ");
    ASSERT_FALSE(verify_or_fail(dir).sound());
    dir.write(file, content);
  }
}

// Whatever is done, and however often: what verifies without an anchor is the chain's beginning, unless hashes were
// made anew.
TEST(LedgerTampering, NoMixtureOfManipulationsVerifies) {
  const TestDir dir(Where::kMemory);
  const Lines chain = make_chain(8);
  const std::string whole = join(chain);
  std::mt19937 random(11);
  const auto any = [&](const Lines& l) { return 1 + random() % l.size(); };
  for (int i = 0; i < 3000; ++i) {
    Lines lines = chain;
    for (unsigned n = 1 + random() % 4; n > 0 && lines.size() > 1; --n) {
      switch (random() % 6) {
        case 0: cut(lines, any(lines), 1); break;
        case 1: std::swap(lines[any(lines) - 1], lines[any(lines) - 1]); break;
        case 2: move_line(lines, any(lines), any(lines)); break;
        case 3: put(lines, any(lines), lines[any(lines) - 1]); break;
        case 4: put(lines, any(lines), random() % 2 == 0 ? kForeign : "x\n"); break;
        case 5: {
          std::string& line = lines[any(lines) - 1];
          line[random() % line.size()] ^= 1;
          break;
        }
      }
    }
    const std::string text = join(lines);
    dir.write(kFile, text);
    const bool is_beginning = whole.starts_with(text) && text.ends_with('\n');
    ASSERT_EQ(verify_or_fail(dir).sound(), is_beginning) << text;
  }
}

}  // namespace
}  // namespace outrigger::ledger
