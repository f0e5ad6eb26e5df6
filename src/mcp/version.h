#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace outrigger::mcp {

// Revisions of the Model Context Protocol (modelcontextprotocol.io/specification/<revision>), oldest first. What a
// server of tools has to do is the same in all, but for batches, which only one of them has.
inline constexpr std::array<std::string_view, 4> kRevisions{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
inline constexpr std::string_view kLatest = kRevisions.back();
// What an HTTP request without the field MCP-Protocol-Version speaks.
inline constexpr std::string_view kAssumed = "2025-03-26";

// The revision of this name, as a text that stays; nothing where it is not known.
std::optional<std::string_view> known_revision(std::string_view name);
inline bool has_batches(std::string_view revision) { return revision == "2025-03-26"; }

}  // namespace outrigger::mcp
