#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "base/unique_fd.h"
#include "cli/language.h"
#include "cli/request.h"

namespace outrigger::cli {
namespace {

constexpr std::size_t kMaxCode = 1U << 20;
constexpr std::size_t kMaxStdin = 4U << 20;
constexpr std::size_t kMaxFile = 16U << 20;

using Text = std::expected<std::string, std::string>;

std::string errno_text(const std::string& what) { return what + ": " + ::strerrordesc_np(errno); }

// Reads to the end, and one byte past the limit to know that there is more.
Text read_all(int fd, const std::string& name, std::size_t limit) {
  std::string content;
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(errno_text("cannot read " + name));
    if (got == 0) return content;
    content.append(buffer, static_cast<std::size_t>(got));
    if (content.size() > limit) {
      return std::unexpected(name + " is larger than the " + std::to_string(limit) + " bytes a request may carry");
    }
  }
}

Text read_file(const std::string& path, std::size_t limit, struct stat* status = nullptr) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd || (status != nullptr && ::fstat(fd.get(), status) != 0))
    return std::unexpected(errno_text("cannot open " + path));
  return read_all(fd.get(), path, limit);
}

// Whether it is a program is all that matters in a jail.
std::uint32_t mode_of(const struct stat& status) { return 0644U | (status.st_mode & 0111U); }

// A terminal would wait for somebody to type what the program may not want.
bool has_stdin() { return ::isatty(STDIN_FILENO) == 0; }

std::expected<std::string, std::string> choose_language(const RunOptions& options, const std::string& code) {
  if (!options.language.empty()) return options.language;
  const auto paths = config::resolve_paths(options.paths);
  const auto definitions = runtime::load_definitions(paths.runtimes_dir);
  if (!definitions) return std::unexpected(definitions.error().text());
  std::string guessed = guess_language(options.file == "-" ? "" : options.file, code, *definitions);
  if (!guessed.empty()) return guessed;
  return std::unexpected("cannot tell the language of " + (options.file == "-" ? "stdin" : options.file) +
                         " by its name or first line: name it, for instance `-l python`");
}

}  // namespace

std::expected<Program, std::string> read_program(const RunOptions& options) {
  Program program;
  const bool from_stdin = options.file == "-";
  auto code = from_stdin ? read_all(STDIN_FILENO, "stdin", kMaxCode) : read_file(options.file, kMaxCode);
  if (!code) return std::unexpected(code.error());
  if (code->empty())
    return std::unexpected((from_stdin ? "stdin" : options.file) + " is empty: there is nothing to run");
  program.code = std::move(*code);
  auto language = choose_language(options, program.code);
  if (!language) return std::unexpected(language.error());
  program.language = std::move(*language);
  for (const auto& [path, here] : options.files) {
    struct stat status{};
    auto content = read_file(here, kMaxFile, &status);
    if (!content) return std::unexpected(content.error());
    program.files.push_back({path, std::move(*content), mode_of(status)});
  }
  if (!from_stdin && has_stdin()) {
    auto input = read_all(STDIN_FILENO, "stdin", kMaxStdin);
    if (!input) return std::unexpected(input.error());
    program.stdin_data = std::move(*input);
  }
  return program;
}

}  // namespace outrigger::cli
