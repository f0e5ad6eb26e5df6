// What it costs to watch groups that do nothing: N groups, a light reading of each once a second for ten seconds. CPU
// time is this process's own, in user and kernel mode, without the making of the groups.
//
// bench_probe [--members] [--budget FILES] [--rounds N] GROUPS...
//   --members  a sleeping process in each group, as a job that waits
//   --budget   how many files may be kept open (4096; 0: all is read by name)
// The groups lie below this process's own, and are removed at the end and on SIGINT and SIGTERM.

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probe/group.h"
#include "probe/live_group.h"
#include "sys/small_file.h"

namespace outrigger::bench {
namespace {

using namespace std::chrono_literals;

volatile std::sig_atomic_t stop = 0;

struct Options {
  bool members = false;
  std::size_t budget = probe::DescriptorBudget::kDefault;
  std::size_t rounds = 10;
  std::vector<std::size_t> counts;
};

std::optional<Options> parse_options(std::span<char*> arguments) {
  Options options;
  std::size_t* value = nullptr;
  for (const std::string_view argument : arguments.subspan(1)) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), number);
    const bool is_number = error == std::errc{} && end == argument.data() + argument.size();
    if (value != nullptr) {
      if (!is_number) return std::nullopt;
      *std::exchange(value, nullptr) = number;
    } else if (is_number) {
      options.counts.push_back(number);
    } else if (argument == "--members") {
      options.members = true;
    } else if (argument == "--budget" || argument == "--rounds") {
      value = argument == "--budget" ? &options.budget : &options.rounds;
    } else {
      return std::nullopt;
    }
  }
  if (options.counts.empty() || options.rounds == 0 || value != nullptr) return std::nullopt;
  return options;
}

// A directory for groups in each hierarchy, with the groups in it.
class Crowd {
 public:
  explicit Crowd(probe::Places places) : places_(std::move(places)) {
    const bool v2 = places_.version == sys::CgroupVersion::kV2;
    for (std::string& root : std::span(places_.roots).first(v2 ? 1 : probe::kControllerCount)) {
      root += "/bench-probe-" + std::to_string(::getpid());
      if (std::ranges::find(roots_, root) == roots_.end()) roots_.push_back(root);
    }
  }
  ~Crowd() {
    for (const pid_t sleeper : sleepers_) ::kill(sleeper, SIGKILL);
    for (const pid_t sleeper : sleepers_) ::waitpid(sleeper, nullptr, 0);
    for (const std::string& root : roots_) {
      for (std::size_t i = 0; i < count_; ++i) remove_directory(root + "/" + name(i));
      remove_directory(root);
    }
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  base::Status make(std::size_t count, bool members) {
    for (const std::string& root : roots_) {
      if (::mkdir(root.c_str(), 0755) != 0) return base::system_error("make_cgroup", root);
    }
    // On v2 a group offers only the files its parent's setting gives it.
    if (places_.version == sys::CgroupVersion::kV2) {
      const std::string file = roots_.front() + "/cgroup.subtree_control";
      if (auto set = sys::write_file_at(AT_FDCWD, file.c_str(), "+memory +cpu +pids"); !set) return set;
    }
    for (; count_ < count && stop == 0; ++count_) {
      for (const std::string& root : roots_) {
        if (::mkdir((root + "/" + name(count_)).c_str(), 0755) != 0) return base::system_error("make_cgroup", root);
      }
      if (members) add_sleeper(name(count_));
    }
    return {};
  }

  [[nodiscard]] const probe::Places& places() const { return places_; }
  static std::string name(std::size_t index) {  // as long as a job's id
    const std::string digits = std::to_string(index);
    return std::string(32 - digits.size(), '0') + digits;
  }

 private:
  void add_sleeper(const std::string& group) {
    const pid_t child = ::fork();
    if (child > 0) sleepers_.push_back(child);
    if (child != 0) return;
    for (const std::string& root : roots_) {
      const std::string file = std::string(root).append("/").append(group).append("/cgroup.procs");
      if (!sys::write_file_at(AT_FDCWD, file.c_str(), "0")) ::_exit(1);
    }
    for (;;) ::pause();
  }
  // Its last member may still be leaving.
  static void remove_directory(const std::string& path) {
    for (int attempt = 0; attempt < 1000 && ::rmdir(path.c_str()) != 0 && errno == EBUSY; ++attempt) ::usleep(1000);
  }

  probe::Places places_;
  std::vector<std::string> roots_;
  std::size_t count_ = 0;
  std::vector<pid_t> sleepers_;
};

std::chrono::nanoseconds cpu_time() {
  timespec used{};
  (void)::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

double resident_mebibytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  file >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(::getpagesize()) / (1024.0 * 1024.0);
}

void sleep_until(std::chrono::steady_clock::time_point when) {
  while (stop == 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - std::chrono::steady_clock::now());
    if (left <= 0ms) return;
    ::poll(nullptr, 0, static_cast<int>(left.count()));
  }
}

struct Watched {
  probe::Group group;
  probe::Reading last;
};

base::Status read_all(std::span<Watched> watched) {
  for (Watched& one : watched) {
    const auto seen = one.group.read(probe::Depth::kLight, one.last);
    if (!seen) return std::unexpected(seen.error());
    if (*seen == probe::Seen::kEnded || !one.last.memory_bytes || !one.last.cpu_usage_usec) {
      return base::failure(base::Code::kInternal, "read_cgroup", one.group.name());
    }
  }
  return {};
}

base::Status measure(const Options& options, std::size_t count) {
  Crowd crowd(probe::own_places());
  if (auto made = crowd.make(count, options.members); !made) return made;
  auto open = probe::OpenPlaces::open(crowd.places());
  if (!open) return std::unexpected(open.error());
  probe::DescriptorBudget budget(options.budget);
  std::vector<Watched> watched;
  for (std::size_t i = 0; i < count && stop == 0; ++i) {
    auto group = probe::Group::open(*open, Crowd::name(i), budget);
    if (!group) return std::unexpected(group.error());
    watched.push_back({std::move(*group), {}});
  }
  if (auto first = read_all(watched); !first) return first;  // which opens what is kept
  const auto begin = cpu_time();
  auto next = std::chrono::steady_clock::now();
  for (std::size_t round = 0; round < options.rounds && stop == 0; ++round) {
    if (auto read = read_all(watched); !read) return read;
    sleep_until(next += 1s);
  }
  const auto per_second = (cpu_time() - begin) / options.rounds;
  const double percent = std::chrono::duration<double>(per_second).count() * 100.0;
  const double each = std::chrono::duration<double, std::micro>(per_second).count() / static_cast<double>(count);
  if (stop != 0) return {};
  std::cout << count << " groups (" << sys::version_name(open->version()) << ", " << budget.used()
            << " files kept): " << percent << " % of a core at 1 Hz, " << each << " us a group, RSS "
            << resident_mebibytes() << " MiB\n"
            << std::flush;
  return {};
}

int run(std::span<char*> arguments) {
  const auto options = parse_options(arguments);
  if (!options) {
    std::cerr << "usage: bench_probe [--members] [--budget FILES] [--rounds N] GROUPS...\n";
    return 2;
  }
  for (const int signal : {SIGINT, SIGTERM}) (void)std::signal(signal, [](int) { stop = 1; });
  for (const std::size_t count : options->counts) {
    if (stop != 0) return 1;
    if (const auto measured = measure(*options, count); !measured) {
      std::cerr << measured.error().text() << '\n';
      return 1;
    }
  }
  return stop != 0 ? 1 : 0;
}

}  // namespace
}  // namespace outrigger::bench

int main(int argc, char** argv) { return outrigger::bench::run({argv, static_cast<std::size_t>(argc)}); }
