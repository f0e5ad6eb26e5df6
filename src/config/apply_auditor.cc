#include "config/apply_auditor.h"

#include "config/load.h"

namespace outrigger::config {
namespace {

using namespace std::chrono_literals;

bool is_url(std::string_view text) { return text.starts_with("http://") || text.starts_with("https://"); }
bool is_one_line(std::string_view text) { return text.find_first_of("\r\n") == std::string_view::npos; }

}  // namespace

void read_auditor(TomlSection section, CrowsNest& auditor) {
  // Below a tenth of the scheduler's period of 100 ms no interval tells of throttling.
  section.milliseconds("interval_ms", 10ms, 1h, auditor.interval);
  section.number("ceiling_percent", 0.001, 100, false, auditor.ceiling_percent);
  auditor.resume_percent = auditor.ceiling_percent * 60 / 65;
  section.number("resume_percent", 0.0005, 100, false, auditor.resume_percent);
  if (auditor.resume_percent >= auditor.ceiling_percent) {
    section.refuse("resume_percent", "must be below ceiling_percent");
  }
  section.text("server", auditor.server);
  if (!auditor.server.empty() && !auditor.server.starts_with("http://")) {
    section.refuse("server", "must look like http://HOST:PORT");
  }
  section.text("token", auditor.token);
  if (!is_one_line(auditor.token)) section.refuse("token", "must be one line");
  section.text("metrics_listen", auditor.metrics_listen);
  Server parsed;
  if (!auditor.metrics_listen.empty() && !parse_listen(auditor.metrics_listen, parsed)) {
    section.refuse("metrics_listen", "must be HOST:PORT, the host a numeric address or localhost");
  }
  section.text("webhook_url", auditor.webhook_url);
  if (!auditor.webhook_url.empty() && !is_url(auditor.webhook_url)) {
    section.refuse("webhook_url", "must begin with http:// or https://");
  }
  section.integer<std::uint64_t>("ledger_segment_bytes", 4096, 1ULL << 40, auditor.ledger_segment_bytes);
  section.finish();
}

}  // namespace outrigger::config
