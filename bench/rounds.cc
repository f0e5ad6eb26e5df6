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

base::Result<std::vector<Round>> make_rounds(const RoundMaker& make, unsigned threads) {
  std::vector<Round> rounds;
  for (unsigned i = 0; i < threads; ++i) {
    auto round = make();
    if (!round) return std::unexpected(round.error());
    rounds.push_back(std::move(*round));
  }
  return rounds;
}

// Every `step`-th of the rounds that are due.
void keep_pace(const Round& round, Clock::time_point first_due, Nanoseconds step, Clock::time_point end,
               std::vector<Nanoseconds>& times, base::Status& status) {
  for (auto due = first_due; due < end; due += step) {
    std::this_thread::sleep_until(due);
    if (const auto took = round(); !took) {
      status = std::unexpected(took.error());
      return;
    }
    times.push_back(Clock::now() - due);
  }
}

base::Status print_pace(const RoundMaker& make, unsigned threads, long per_second, std::chrono::milliseconds duration) {
  const auto rounds = make_rounds(make, threads);
  if (!rounds) return std::unexpected(rounds.error());
  std::vector<std::vector<Nanoseconds>> times(threads);
  std::vector<base::Status> statuses(threads);
  const Nanoseconds gap = Nanoseconds(std::chrono::seconds(1)) / per_second;
  const auto begin = Clock::now() + std::chrono::milliseconds(10);
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) {
      workers.emplace_back(
          [&, i] { keep_pace((*rounds)[i], begin + i * gap, threads * gap, begin + duration, times[i], statuses[i]); });
    }
  }
  for (const base::Status& status : statuses) {
    if (!status) return status;
  }
  for (const auto& one : times) {
    for (const Nanoseconds took : one) std::cout << took.count() << '\n';
  }
  std::cout << "end" << std::endl;
  return {};
}

// A round that was begun in time is finished and counted, and so is the time it took.
base::Status print_load(const RoundMaker& make, unsigned threads, std::chrono::milliseconds duration, long most) {
  const auto rounds = make_rounds(make, threads);
  if (!rounds) return std::unexpected(rounds.error());
  std::vector<Share> shares(threads);
  const auto begin = Clock::now();
  Load load{begin + duration, most};
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) workers.emplace_back([&, i] { work((*rounds)[i], load, shares[i]); });
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
  if (name == "pace" && numbers.size() == 3 && make && numbers[0] >= 1 && numbers[0] <= kMaxThreads &&
      numbers[1] >= 1) {
    return print_pace(make, static_cast<unsigned>(numbers[0]), numbers[1], std::chrono::milliseconds(numbers[2]));
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
