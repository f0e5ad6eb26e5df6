#include <array>
#include <charconv>
#include <cmath>

#include "crows_nest/options.h"
#include "wire/time_text.h"

namespace outrigger::crows_nest {
namespace {

using std::chrono::milliseconds;

struct Unit {
  std::string_view name;
  double millis;
};
constexpr std::array<Unit, 6> kUnits{{{"", 1}, {"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}, {"d", 86400e3}}};
constexpr double kLongest = 10 * 365.0 * 86400e3;

struct Quantity {
  double number = 0;
  std::string_view unit;
};

std::optional<Quantity> split(std::string_view text) {
  Quantity out;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out.number, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(out.number)) return std::nullopt;
  out.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (out.unit.starts_with(' ')) out.unit.remove_prefix(1);
  return out;
}

}  // namespace

std::optional<milliseconds> parse_duration(std::string_view text) {
  const auto quantity = split(text);
  if (!quantity) return std::nullopt;
  for (const Unit& unit : kUnits) {
    if (unit.name != quantity->unit) continue;
    const double millis = quantity->number * unit.millis;
    if (millis < 1 || millis > kLongest) return std::nullopt;
    return milliseconds(std::llround(millis));
  }
  return std::nullopt;
}

std::optional<double> parse_share(std::string_view text) {
  const auto quantity = split(text);
  if (!quantity || (!quantity->unit.empty() && quantity->unit != "%")) return std::nullopt;
  const bool percent = quantity->unit == "%" || quantity->number > 1;
  const double share = percent ? quantity->number / 100 : quantity->number;
  return share > 0 && share <= 1 ? std::optional(share) : std::nullopt;
}

std::optional<std::chrono::system_clock::time_point> parse_since(std::string_view text,
                                                                 std::chrono::system_clock::time_point now) {
  if (const auto time = wire::parse_time(text)) return time;
  const auto back = parse_duration(text);
  return back ? std::optional(now - *back) : std::nullopt;
}

base::Result<config::Config> load_settings(const Settings& settings) {
  auto config = config::load(settings.load);
  if (!config) return config;
  config::CrowsNest& auditor = config->crows_nest;
  if (settings.interval) auditor.interval = *settings.interval;
  if (settings.ceiling) {
    // The distance between the two marks stays in proportion.
    const double proportion = auditor.resume_percent / auditor.ceiling_percent;
    auditor.ceiling_percent = *settings.ceiling * 100;
    auditor.resume_percent = auditor.ceiling_percent * proportion;
  }
  if (settings.server) auditor.server = *settings.server;
  if (settings.metrics_listen) auditor.metrics_listen = *settings.metrics_listen;
  if (settings.webhook_url) auditor.webhook_url = *settings.webhook_url;
  if (const auto token = config::process_environment("OUTRIGGER_TOKEN"); token && !token->empty()) {
    if (token->find_first_of("\r\n") != std::string::npos) {
      return base::failure(base::Code::kInvalid, "config", "OUTRIGGER_TOKEN must be one line");
    }
    auditor.token = *token;
  }
  return config;
}

}  // namespace outrigger::crows_nest
