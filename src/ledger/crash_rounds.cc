#include "ledger/crash_rounds.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <random>
#include <unordered_map>
#include <vector>

#include "ledger/appender.h"
#include "ledger/query.h"
#include "ledger/verify.h"

namespace outrigger::ledger {
namespace {

constexpr std::string_view kName = "execution";
constexpr std::string_view kStep = "crash_rounds";
constexpr std::uint64_t kSegmentBytes = std::uint64_t{16} * 1024;

// What the child says down its pipe: up to this line all is acknowledged. A write of eight bytes is never torn.
using Report = std::uint64_t;

std::string members_of(unsigned round, std::uint64_t n) {
  return "\"id\":\"" + std::to_string(round) + "/" + std::to_string(n) + "\",\"pad\":\"" +
         std::string((n * 37) % 300, 'x') + "\"";
}

[[noreturn]] void append_until_killed(int dir, int pipe, unsigned round) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto appender = Appender::open(dir, kName, {.segment_bytes = kSegmentBytes});
  if (!appender) ::_exit(1);
  const Report begin = (*appender)->durable();
  if (::write(pipe, &begin, sizeof begin) != sizeof begin) ::_exit(1);
  std::uint64_t reported = begin;
  for (std::uint64_t n = 0;; ++n) {
    std::uint64_t ticket = 0;
    while (ticket == 0) ticket = (*appender)->add(members_of(round, n)).value_or(0);
    if (n % 16 != 15) continue;
    // Some lines are always on their way.
    (*appender)->wait_durable(ticket - std::min<std::uint64_t>(ticket, 48),
                              std::chrono::steady_clock::now() + std::chrono::seconds(60));
    const Report now = (*appender)->durable();
    if (now > reported && ::write(pipe, &now, sizeof now) != sizeof now) ::_exit(1);
    reported = now;
  }
}

struct Round {
  Report begin = 0;  // the last line that was there at first
  Report end = 0;    // the last that was acknowledged
};

base::Result<Round> read_reports(int pipe) {
  Round round;
  Report report = 0;
  if (::read(pipe, &report, sizeof report) != sizeof report) {
    return base::failure(base::Code::kInternal, kStep, "the ledger could not be opened again");
  }
  round.begin = round.end = report;
  while (::read(pipe, &report, sizeof report) == sizeof report) round.end = report;
  return round;
}

// The moment is counted from when the child has opened the ledger, or, so that the opening is met too, from its start.
base::Result<Round> run_round(int dir, unsigned number, bool opened, std::chrono::microseconds moment) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::system_error(kStep, "pipe");
  const base::UniqueFd reading(ends[0]);
  base::UniqueFd writing(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return base::system_error(kStep, "fork");
  if (child == 0) append_until_killed(dir, writing.get(), number);
  writing.reset();
  pollfd report{reading.get(), POLLIN, 0};
  if (opened) ::poll(&report, 1, -1);
  const timespec wait{0, std::chrono::nanoseconds(moment).count()};
  ::nanosleep(&wait, nullptr);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return read_reports(reading.get());
}

// The line of number n of a round that began behind line b is line b + 1 + n.
base::Status compare(int dir, const std::vector<std::pair<unsigned, Round>>& rounds, CrashCount& count) {
  std::unordered_map<std::string, std::uint64_t> seqs;
  const auto read = for_each_line(dir, kName, Order::kOldestFirst, [&](std::string_view text) {
    const auto line = parse_line(text);
    if (line && !seqs.emplace(line->members, line->seq).second) ++count.doubled;
    return true;
  });
  if (!read) return read;
  for (const auto& [number, round] : rounds) {
    for (std::uint64_t seq = round.begin + 1; seq <= round.end; ++seq) {
      ++count.acknowledged;
      const auto found = seqs.find(members_of(number, seq - round.begin - 1));
      if (found == seqs.end() || found->second != seq) ++count.lost;
    }
  }
  return {};
}

}  // namespace

base::Result<CrashCount> run_crash_rounds(const std::filesystem::path& path, unsigned rounds, unsigned seed) {
  const base::UniqueFd dir(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!dir) return base::system_error(kStep, path.string());
  std::mt19937 random(seed);
  std::vector<std::pair<unsigned, Round>> done;
  CrashCount count;
  for (unsigned number = 0; number < rounds; ++number) {
    const auto round = run_round(dir.get(), number, number % 8 != 0, std::chrono::microseconds(random() % 12'000));
    if (round) done.emplace_back(number, *round);
    // Killed before it had opened: as good a moment as any other.
  }
  const auto verified = verify(dir.get(), kName);
  if (!verified) return std::unexpected(verified.error());
  for (const Fault& fault : verified->faults) {
    if (fault.kind == FaultKind::kTorn) continue;  // of the last round
    return base::failure(base::Code::kInternal, kStep, std::string(fault_name(fault.kind)) + ": " + fault.sentence);
  }
  count.segments = verified->segments;
  if (const auto compared = compare(dir.get(), done, count); !compared) return std::unexpected(compared.error());
  return count;
}

}  // namespace outrigger::ledger
