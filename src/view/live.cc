#include "view/live.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "view/table.h"

namespace outrigger::view {
namespace {

constexpr std::size_t kFrameLines = 6;  // the title, the heading, the line of all, the keys, and room
constexpr std::size_t kNarrowest = 40;

void put(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody looks any more
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

winsize size_of_terminal() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) size = {24, 80, 0, 0};
  return size;
}

// Each line cut at the screen's edge, or a table of long lines would scroll. Escape sequences have no width.
std::string cut_to(const std::string& text, std::size_t columns) {
  std::string out;
  std::size_t column = 0;
  bool escape = false;
  for (const char c : text) {
    if (c == '\n') {
      out += "\x1b[0m\x1b[K\r\n";
      column = 0;
      continue;
    }
    if (c == '\x1b') escape = true;
    const bool continuation = (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
    if (!escape && !continuation) ++column;
    if (escape || column <= columns) out += c;
    if (escape && c == 'm') escape = false;
  }
  return out;
}

}  // namespace

LiveScreen::LiveScreen() {
  termios now{};
  if (::tcgetattr(STDIN_FILENO, &now) == 0) {
    before_ = now;
    now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &now);
  }
  put("\x1b[?1049h\x1b[?25l");
}

LiveScreen::~LiveScreen() {
  put("\x1b[?25h\x1b[?1049l");
  if (before_) ::tcsetattr(STDIN_FILENO, TCSANOW, &*before_);
}

void LiveScreen::draw(Report report, bool colour) {
  const winsize size = size_of_terminal();
  sort_jobs(report.jobs, order_);
  TableStyle style{colour, true, order_, 1};
  if (size.ws_row > kFrameLines) style.max_jobs = size.ws_row - kFrameLines;
  const std::string keys = "\nsort: m memory  c CPU  t throttling  a age    q quit\n";
  put("\x1b[H" + cut_to(to_table(report, style) + keys, std::max<std::size_t>(size.ws_col, kNarrowest)) + "\x1b[J");
}

LiveScreen::Key LiveScreen::wait(std::chrono::milliseconds time, int signals) {
  std::array<pollfd, 2> inputs{{{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}}};
  if (::poll(inputs.data(), inputs.size(), static_cast<int>(time.count())) <= 0) return Key::kNone;
  if (inputs[1].revents != 0) return Key::kQuit;
  char key = 0;
  if (::read(STDIN_FILENO, &key, 1) != 1) return Key::kQuit;  // the terminal is gone
  switch (key) {
    case 'm': order_ = Order::kMemory; break;
    case 'c': order_ = Order::kCpu; break;
    case 't': order_ = Order::kThrottling; break;
    case 'a': order_ = Order::kAge; break;
    case 'q': return Key::kQuit;
    default: return Key::kNone;
  }
  return Key::kSorted;
}

}  // namespace outrigger::view
