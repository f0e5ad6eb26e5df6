#include "api/refusal_log.h"

#include "base/log.h"

namespace outrigger::api {

void RefusalLog::answered(int status, std::string_view route, Time now) {
  if (status != 401 && status != 403 && status != 429) return;
  const auto [entry, first] = said_.try_emplace(status);
  Said& said = entry->second;
  ++said.since;
  if (!first && now - said.at < std::chrono::seconds{1}) return;
  base::log(base::Level::kWarn, "requests_refused", {{"status", status}, {"route", route}, {"count", said.since}});
  said = {now, 0};
}

}  // namespace outrigger::api
