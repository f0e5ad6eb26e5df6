#pragma once

#include <string>
#include <string_view>

namespace outrigger::base {

// A new id for a job: 32 lower-case hexadecimal digits, the first 12 the milliseconds since the epoch (so ids sort by
// time, as RFC 9562 UUIDv7 does), the rest from getrandom(2). Safe as a file name and as a cgroup name.
std::string new_job_id();

// 1 to 64 of [0-9a-z-], not beginning with a dash: what may name a cgroup, a card and a summary.
bool is_job_id(std::string_view text);

// 1 to 64 of [A-Za-z0-9._-]: contract for tenant_id.
bool is_tenant_id(std::string_view text);

}  // namespace outrigger::base
