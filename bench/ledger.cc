// bench_ledger append [SECONDS] | verify [LINES] | crash [ROUNDS]   How many lines a second a ledger takes in from one
// thread, each on the disk before it counts (2 s); how long it takes to verify one (1,000,000 lines); and whether
// anything that was acknowledged is lost or there twice when the writer is killed again and again (1,000 rounds). Its
// files lie in TMPDIR (or /var/tmp, since /tmp may be memory). Without arguments: all three.

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "base/unique_fd.h"
#include "ledger/appender.h"
#include "ledger/crash_rounds.h"
#include "ledger/query.h"
#include "ledger/verify.h"

namespace outrigger::bench {
namespace {

using Seconds = std::chrono::duration<double>;
using std::chrono::steady_clock;

constexpr std::string_view kName = "execution";

class WorkDir {
 public:
  WorkDir() {
    const char* parent = std::getenv("TMPDIR");
    path_ = std::string(parent != nullptr ? parent : "/var/tmp") + "/bench_ledger.XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) {
      std::perror(path_.c_str());
      std::exit(1);
    }
    fd_.reset(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  WorkDir(const WorkDir&) = delete;
  WorkDir& operator=(const WorkDir&) = delete;
  ~WorkDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  std::string path_;
  base::UniqueFd fd_;
};

bool complain(const base::Error& error) {
  std::fprintf(stderr, "bench_ledger: %s\n", error.text().c_str());
  return false;
}

// About what a run's line says, so long that the line has some 700 bytes.
std::string members_of(std::uint64_t n) {
  std::string text = R"("job_id":"bench-)" + std::to_string(n) +
                     R"(","tenant_id":"acme","runtime":"python","status":"completed","cause":"exited","exit_code":0,)"
                     R"("limits":{"wall_ms":10000,"cpu_ms":5000,"memory_bytes":268435456,"processes":64},)"
                     R"("usage":{"wall_ms":31.25,"cpu_ms":21.5,"memory_peak_bytes":10485760,"processes_peak":1},)"
                     R"("image":")";
  text.append(480 - text.size(), 'a');
  return text + "\"";
}

// Adds as fast as the queue takes it.
base::Result<std::uint64_t> add(ledger::Appender& appender, const std::string& members) {
  for (;;) {
    auto ticket = appender.add(members);
    if (ticket || ticket.error().code != base::Code::kExhausted) return ticket;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

bool measure_append(Seconds duration) {
  const WorkDir dir;
  auto appender = ledger::Appender::open(dir.fd(), kName, {.max_queued = 8192});
  if (!appender) return complain(appender.error());
  const auto begin = steady_clock::now();
  std::uint64_t ticket = 0;
  while (steady_clock::now() - begin < duration) {
    const auto added = add(**appender, members_of(ticket));
    if (!added) return complain(added.error());
    ticket = *added;
  }
  if (!(*appender)->wait_durable(ticket, steady_clock::now() + std::chrono::minutes(5))) return false;
  const Seconds took = steady_clock::now() - begin;
  std::uint64_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(dir.path())) bytes += file.file_size();
  std::printf("append: %.0f records/s (group commit, fdatasync, records of %llu bytes, in %s)\n",
              static_cast<double>(ticket) / took.count(), static_cast<unsigned long long>(bytes / ticket),
              std::filesystem::path(dir.path()).parent_path().c_str());
  return true;
}

bool fill(const WorkDir& dir, std::uint64_t lines) {
  const auto appender = ledger::Appender::open(dir.fd(), kName);
  if (!appender) return complain(appender.error());
  for (std::uint64_t n = 0; n < lines; ++n) {
    if (const auto added = add(**appender, members_of(n)); !added) return complain(added.error());
  }
  return (*appender)->close(std::chrono::minutes(5)) == 0;
}

bool measure_verify(std::uint64_t lines) {
  const WorkDir dir;
  if (!fill(dir, lines)) return false;
  auto begin = steady_clock::now();
  const auto verified = ledger::verify(dir.fd(), kName);
  if (!verified) return complain(verified.error());
  std::printf("verify: %llu lines in %.2f s, %s\n", static_cast<unsigned long long>(verified->lines),
              Seconds(steady_clock::now() - begin).count(), verified->sound() ? "sound" : "NOT SOUND");

  std::uint64_t found = 0;
  const ledger::Filter filter{.job_id = "bench-1"};
  begin = steady_clock::now();
  const auto searched = ledger::find(dir.fd(), kName, filter, ledger::Order::kNewestFirst, [&](std::string_view) {
    ++found;
    return true;
  });
  if (!searched) return complain(searched.error());
  std::printf("find: %llu of %llu lines in %.2f s\n", static_cast<unsigned long long>(found),
              static_cast<unsigned long long>(lines), Seconds(steady_clock::now() - begin).count());
  return verified->sound() && verified->lines == lines && found == 1;
}

bool measure_crashes(unsigned rounds) {
  const WorkDir dir;
  const auto count = ledger::run_crash_rounds(dir.path(), rounds, 1);
  if (!count) return complain(count.error());
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::printf("crash: %u rounds of kill -9, %llu acknowledged, %llu lost, %llu doubled\n", rounds,
              number(count->acknowledged), number(count->lost), number(count->doubled));
  return count->lost == 0 && count->doubled == 0;
}

bool measure(std::string_view what, const char* amount) {
  if (what == "append") return measure_append(Seconds(amount != nullptr ? std::strtod(amount, nullptr) : 2));
  if (what == "verify") return measure_verify(amount != nullptr ? std::strtoull(amount, nullptr, 10) : 1'000'000);
  if (what == "crash") {
    return measure_crashes(amount != nullptr ? static_cast<unsigned>(std::strtoul(amount, nullptr, 10)) : 1000);
  }
  std::fprintf(stderr, "usage: bench_ledger append [SECONDS] | verify [LINES] | crash [ROUNDS]\n");
  return false;
}

}  // namespace
}  // namespace outrigger::bench

int main(int argc, char** argv) {
  using outrigger::bench::measure;
  if (argc > 1) return measure(argv[1], argc > 2 ? argv[2] : nullptr) ? 0 : 1;
  const bool appended = measure("append", nullptr);
  const bool verified = measure("verify", nullptr);
  return measure("crash", nullptr) && appended && verified ? 0 : 1;
}
