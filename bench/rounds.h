#pragma once

#include <chrono>
#include <functional>

#include "base/error.h"

// What all programs of bench/ have in common. Each reads commands from its stdin, one a line, so that whoever measures
// can take turns among several of them, and a change in the machine's load meets all alike:
//   rounds N     does its thing N times, one after the other; prints the nanoseconds of each on a line of its own
//   load K MS N  does it on K threads at once, until MS milliseconds have passed or N rounds are done; prints
//                "<rounds> <nanoseconds from first to last>"
//   pace K R MS  R a second, evenly, for MS milliseconds, by K threads in turns; prints the nanoseconds of each, counted
//                from when it was due, so that one that is slow counts for those that wait behind it, and a last line "end"
// By hand: echo rounds 100 | build/bench/floor
// A round that fails ends the program: what went wrong goes to stderr, the exit status is 1.
namespace outrigger::bench {

using Nanoseconds = std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

// One timed round.
using Round = std::function<base::Result<Nanoseconds>()>;
// Makes what does the rounds of one thread.
using RoundMaker = std::function<base::Result<Round>()>;

// Serves the commands until stdin ends; returns the exit status. Without `make` there is no `load`.
int serve(const Round& round);
int serve(const RoundMaker& make);

}  // namespace outrigger::bench
