#pragma once

#include <string_view>

// The scripts of lua/, each behind common.lua; made by CMake into scripts.cc.
namespace outrigger::store_redis {

struct Script {
  std::string_view text;
  std::string_view sha1;  // of the text, 40 lower-case hexadecimal digits: what EVALSHA calls it by
};

namespace scripts {

extern const Script kPut;
extern const Script kLook;
extern const Script kDepth;
extern const Script kCancel;
extern const Script kDrain;
extern const Script kClaim;
extern const Script kRefuse;
extern const Script kSettle;
extern const Script kGiveBack;
extern const Script kRenew;
extern const Script kRemember;
extern const Script kRecover;
extern const Script kReturnTaken;
extern const Script kKeyClaim;
extern const Script kKeyAnswer;
extern const Script kKeyRelease;

}  // namespace scripts
}  // namespace outrigger::store_redis
