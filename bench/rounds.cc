#include "rounds.h"

#include <atomic>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace outrigger::bench {
namespace {

constexpr long kMaxThreads = 256;

base::Status print_rounds(const Round& round, long count) {
  for (long i = 0; i < count; ++i) {
    const auto took = round();
    if (!took) return std::unexpected(took.error());
    std::cout << took->count() << '\n';
  }
  std::cout << std::flush;
  return {};
}

// What the threads of a load have in common.
struct Load {
  Clock::time_point end;
  std::atomic<long> left;  // rounds that nobody has begun yet
  std::atomic<bool> failed = false;
};

// What one of them has to say at its end.
struct Share {
  unsigned long rounds = 0;
  base::Status status;
};

void work(const Round& round, Load& load, Share& share) {
  while (!load.failed && Clock::now() < load.end && load.left-- > 0) {
    const auto took = round();
    if (!took) {
      share.status = std::unexpected(took.error());
      load.failed = true;
      return;
    }
    ++share.rounds;
  }
}

// A round that was begun in time is finished and counted, and so is the time it took.
base::Status print_load(const RoundMaker& make, unsigned threads, std::chrono::milliseconds duration, long most) {
  std::vector<Round> rounds;
  for (unsigned i = 0; i < threads; ++i) {
    auto round = make();
    if (!round) return std::unexpected(round.error());
    rounds.push_back(std::move(*round));
  }
  std::vector<Share> shares(threads);
  const auto begin = Clock::now();
  Load load{begin + duration, most};
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) workers.emplace_back([&, i] { work(rounds[i], load, shares[i]); });
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

struct Command {
  std::string name;
  std::vector<long> numbers;
};

Command parse(const std::string& line) {
  std::istringstream words(line);
  Command command;
  words >> command.name;
  for (long number = 0; words >> number;) command.numbers.push_back(number);
  return command;
}

base::Status obey(const std::string& line, std::optional<Round>& round, const RoundMaker& make) {
  const auto [name, numbers] = parse(line);
  if (name == "rounds" && numbers.size() == 1) {
    if (!round) {
      auto made = make();
      if (!made) return std::unexpected(made.error());
      round = std::move(*made);
    }
    return print_rounds(*round, numbers[0]);
  }
  if (name == "load" && numbers.size() == 3 && make && numbers[0] >= 1 && numbers[0] <= kMaxThreads) {
    return print_load(make, static_cast<unsigned>(numbers[0]), std::chrono::milliseconds(numbers[1]), numbers[2]);
  }
  return base::failure(base::Code::kInvalid, "command", line);
}

int serve(std::optional<Round> round, const RoundMaker& make) {
  for (std::string line; std::getline(std::cin, line);) {
    if (const base::Status status = obey(line, round, make); !status) {
      std::cerr << status.error().text() << '\n';
      return 1;
    }
  }
  return 0;
}

}  // namespace

int serve(const Round& round) { return serve(round, {}); }

int serve(const RoundMaker& make) { return serve(std::nullopt, make); }

}  // namespace outrigger::bench
