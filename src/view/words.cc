#include "view/words.h"

#include <array>
#include <cmath>

#include "base/format.h"
#include "base/utf8.h"

namespace outrigger::view {
namespace {

using namespace std::chrono_literals;

using base::formatted;

}  // namespace

std::string age_text(std::chrono::milliseconds age) {
  if (age < 60s) return formatted("%.1f s", std::floor(static_cast<double>(age.count()) / 100) / 10);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(age).count();
  if (age < 1h) return formatted("%lld m %02lld s", seconds / 60LL, seconds % 60LL);
  return formatted("%lld h %02lld m", seconds / 3600LL, seconds / 60LL % 60LL);
}

std::string mebibytes(std::uint64_t bytes) { return formatted("%.1f", static_cast<double>(bytes) / (1U << 20)); }

std::string percent_text(std::optional<double> percent) { return percent ? formatted("%.0f %%", *percent) : "-"; }

std::string count_text(std::optional<std::uint64_t> count) { return count ? std::to_string(*count) : "-"; }

std::string pair_text(std::optional<std::uint64_t> count, std::optional<std::uint64_t> limit) {
  return count_text(count) + "/" + count_text(limit);
}

std::string printable(std::string_view text) {
  std::string out = base::to_utf8(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  // C1 control characters are two bytes in UTF-8: U+0080 to U+009F.
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    if (out[i] == '\xc2' && static_cast<unsigned char>(out[i + 1]) < 0xa0) out.replace(i, 2, "?");
  }
  return out;
}

std::string spark_line(const History& history, std::size_t width) {
  static constexpr std::array<const char*, 8> kBars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t per_bar = (History::kMarks + width - 1) / width;
  std::string line;
  for (std::size_t bar = 0; bar < width; ++bar) {
    // Counted from the end: bar `width - 1` holds the newest marks.
    const std::size_t end = (width - bar - 1) * per_bar;
    unsigned highest = 0;
    bool any = false;
    for (std::size_t back = end; back < end + per_bar && back < history.size(); ++back) {
      highest = std::max<unsigned>(highest, history.at(history.size() - 1 - back));
      any = true;
    }
    line += any ? kBars.at(std::min<std::size_t>(highest * kBars.size() / 101, kBars.size() - 1)) : " ";
  }
  return line;
}

}  // namespace outrigger::view
