#include "rounds.h"

#include <atomic>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace outrigger::bench {
namespace {

constexpr unsigned kMaxThreads = 256;

int complain(const std::string& what) {
  std::cerr << what << '\n';
  return 1;
}

base::Status print_rounds(const Round& round, unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) {
    const auto took = round();
    if (!took) return std::unexpected(took.error());
    std::cout << took->count() << '\n';
  }
  std::cout << std::flush;
  return {};
}

// What one thread of a load has to say at its end.
struct Share {
  unsigned long rounds = 0;
  base::Status status;
};

void work(const Round& round, Clock::time_point end, std::atomic<bool>& stop, Share& share) {
  while (!stop && Clock::now() < end) {
    const auto took = round();
    if (!took) {
      share.status = std::unexpected(took.error());
      stop = true;
      return;
    }
    ++share.rounds;
  }
}

// A round that was begun in time is finished and counted, and so is the time it took.
base::Status print_load(const RoundMaker& make, unsigned threads, std::chrono::milliseconds duration) {
  std::vector<Round> rounds;
  for (unsigned i = 0; i < threads; ++i) {
    auto round = make();
    if (!round) return std::unexpected(round.error());
    rounds.push_back(std::move(*round));
  }
  std::vector<Share> shares(threads);
  std::atomic<bool> stop = false;
  const auto begin = Clock::now();
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) {
      workers.emplace_back([&, i] { work(rounds[i], begin + duration, stop, shares[i]); });
    }
  }
  const Nanoseconds took = Clock::now() - begin;
  unsigned long total = 0;
  for (const Share& share : shares) {
    if (!share.status) return share.status;
    total += share.rounds;
  }
  std::cout << total << ' ' << took.count() << std::endl;
  return {};
}

base::Status obey(const std::string& line, const Round& round, const RoundMaker& make) {
  std::istringstream words(line);
  std::string command;
  unsigned long first = 0;
  unsigned long second = 0;
  words >> command >> first;
  if (words && command == "rounds") return print_rounds(round, first);
  words >> second;
  if (words && command == "load" && make && first >= 1 && first <= kMaxThreads) {
    return print_load(make, static_cast<unsigned>(first), std::chrono::milliseconds(second));
  }
  return base::failure(base::Code::kInvalid, "command", line);
}

int serve(const Round& round, const RoundMaker& make) {
  for (std::string line; std::getline(std::cin, line);) {
    if (const base::Status status = obey(line, round, make); !status) return complain(status.error().text());
  }
  return 0;
}

}  // namespace

int serve(const Round& round) { return serve(round, {}); }

int serve(const RoundMaker& make) {
  const auto round = make();
  if (!round) return complain(round.error().text());
  return serve(*round, make);
}

}  // namespace outrigger::bench
