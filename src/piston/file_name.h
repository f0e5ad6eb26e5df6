#pragma once

#include <string>
#include <string_view>

namespace outrigger::piston {

// A file's name as Piston lays it: joined to the job's directory as node's path.join does, so "/a", "./a" and "b/../a"
// are all "a". What leads out of the directory begins with ".." then, and "" is the directory itself.
std::string settled_name(std::string_view name);

inline bool leads_out(std::string_view settled) { return settled == ".." || settled.starts_with("../"); }

}  // namespace outrigger::piston
