#include "runtime/mmdebstrap.h"

#include <fcntl.h>

#include <deque>

#include "runtime/stamp.h"
#include "runtime/subprocess.h"
#include "sys/small_file.h"

namespace outrigger::runtime {
namespace {

constexpr std::size_t kRememberedLines = 15;
constexpr char kSettingsFile[] = "apt.conf";
constexpr char kPreferencesFile[] = "preferences";
// Debian's essential set wants "usrmerge | usr-is-merged"; the first brings the whole of Perl, 50 MB. The layout that
// the second asserts is made before the first package is unpacked, by the hook below.
constexpr std::string_view kPreferences = "Package: usrmerge\nPin: release *\nPin-Priority: -1\n";
constexpr std::string_view kMergedUsrHook = "/usr/share/mmdebstrap/hooks/merged-usr/setup00.sh";
// Java's alternatives are links in a directory that nobody makes where manuals are left out, and are not content
// without.
constexpr std::string_view kManualsHook = "mkdir -p \"$1\"/usr/share/man/man1";

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

base::Status write_settings(const Bootstrap& bootstrap) {
  const auto directory = sys::open_at(AT_FDCWD, bootstrap.work_dir.c_str(), O_RDONLY | O_DIRECTORY);
  if (!directory) return std::unexpected(directory.error());
  const std::string settings = bootstrap.archive.settings + "Dir::Etc::preferences \"" +
                               (bootstrap.work_dir / kPreferencesFile).string() + "\";\n";
  const auto written = sys::replace_file_at(directory->get(), kSettingsFile, settings, 0644);
  if (!written) return written;
  return sys::replace_file_at(directory->get(), kPreferencesFile, kPreferences, 0644);
}

}  // namespace

std::vector<std::string> bootstrap_command(const Bootstrap& bootstrap) {
  std::vector<std::string> argv{"/usr/bin/setpriv",
                                "--pdeathsig=TERM",
                                "/usr/bin/unshare",
                                "--mount",
                                "--propagation=private",
                                bootstrap.program,
                                "--mode=root",
                                "--format=directory",
                                "--variant=essential",
                                "--skip=check/signed-by",
                                "--include=usr-is-merged," + joined(bootstrap.packages),
                                "--aptopt=" + (bootstrap.work_dir / kSettingsFile).string(),
                                "--setup-hook=" + std::string(kMergedUsrHook),
                                "--setup-hook=" + std::string(kManualsHook),
                                "--dpkgopt=force-unsafe-io"};
  for (const char* path : {"exclude=/usr/share/man/*", "exclude=/usr/share/info/*", "exclude=/usr/share/locale/*",
                           "exclude=/usr/share/doc/*", "include=/usr/share/doc/*/copyright"}) {
    argv.push_back(std::string("--dpkgopt=path-") + path);
  }
  argv.emplace_back(kSuite);
  argv.push_back((bootstrap.work_dir / "root").string());
  argv.insert(argv.end(), bootstrap.archive.sources.begin(), bootstrap.archive.sources.end());
  return argv;
}

base::Status run_bootstrap(const Bootstrap& bootstrap, const std::function<void(std::string_view)>& progress) {
  if (const auto written = write_settings(bootstrap); !written) return written;
  std::deque<std::string> last_lines;
  const auto finished = run_subprocess({bootstrap_command(bootstrap), tool_environment()}, [&](std::string_view line) {
    last_lines.emplace_back(line);
    if (last_lines.size() > kRememberedLines) last_lines.pop_front();
    if (line.starts_with("I: ")) progress("mmdebstrap: " + std::string(line.substr(3)));
  });
  if (!finished) return std::unexpected(finished.error());
  if (finished->wait_status == 0) return {};
  std::string text = "mmdebstrap " + describe_wait_status(finished->wait_status) + ". Its last lines:";
  for (const std::string& line : last_lines) text += "\n  " + line;
  return base::failure(base::Code::kSystem, "install_packages", text);
}

}  // namespace outrigger::runtime
