#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A ledger is lines of JSON (RFC 8259), each of which names its predecessor by hash, so that a line that was changed,
// taken out, put in or moved is found by whoever reads the chain (verify.h). A line is exactly
//
//   {"seq":N,"recorded_at":"T","prev":"H",<members>,"hash":"H"}\n
//
// without spaces but those within `members`, where
//   seq          counts from 1, one more each line; decimal, no leading zero, at most 18 digits
//   recorded_at  when it was written down: RFC 3339, UTC, microseconds (2025-01-31T09:30:00.125000Z)
//   prev         the predecessor's `hash`; of line 1 the SHA-256 of "outrigger ledger <name> 1", so that one ledger
//   can't
//                pass for another
//   members      what the line says: the text of JSON members, none of them named as these four; may be absent together
//                with its comma
//   hash         SHA-256 (FIPS 180-4) of the line's bytes from `{` up to and without `,"hash":`
// and hashes are 64 lower-case hexadecimal digits. Lines lie in files <name>-<seq of its first line, 12 digits>.jsonl;
// the chain goes on from one file to the next.
namespace outrigger::ledger {

inline constexpr std::size_t kHashDigits = 64;
// Bytes of a line, its newline included. A longer one is no line of ours.
inline constexpr std::size_t kMaxLine = std::size_t{1} << 20;
// Bytes of a line's members: what is left of it, and some.
inline constexpr std::size_t kMaxMembers = kMaxLine - 512;

// The last line of a chain: what the next one follows, and what to note elsewhere as an anchor. seq 0 is the place
// before the first line.
struct Head {
  std::uint64_t seq = 0;
  std::string hash;
  friend bool operator==(const Head&, const Head&) = default;
};

// A line taken apart; views into its text.
struct Line {
  std::uint64_t seq = 0;
  std::string_view recorded_at;
  std::string_view prev;
  std::string_view members;  // empty if there are none
  std::string_view hash;     // as written; see hash_of()
  std::string_view content;  // what the hash is of
};

// The place before the first line of the ledger of this name.
Head before_first(std::string_view name);

// Adds the line after `before` to `text`, newline included, and gives the head that it makes. A newline in `members` is
// written as a space: between JSON's tokens they mean the same, and within its strings there is none.
Head append_line(std::string& text, const Head& before, std::string_view recorded_at, std::string_view members);

// `text` is a line without its newline. Nothing unless it has exactly the form above; whether hash and content agree,
// and whether the members are JSON, is not looked at.
std::optional<Line> parse_line(std::string_view text);

// What the line's hash has to be.
std::string hash_of(const Line& line);

}  // namespace outrigger::ledger
