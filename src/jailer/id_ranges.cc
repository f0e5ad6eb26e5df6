#include "jailer/id_ranges.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "jail/plan.h"

namespace outrigger::jailer {
namespace {

// Binds the name of one granule; EADDRINUSE where another jailer holds it.
base::Result<base::UniqueFd> take(std::uint32_t first_id) {
  base::UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return base::system_error("host_ids", "socket");
  const std::string name = "outrigger/ids/" + std::to_string(first_id);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // a leading NUL: the abstract namespace
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0)
    return base::system_error("host_ids", name);
  return socket;
}

}  // namespace

base::Result<IdRanges> IdRanges::lease(std::uint32_t uid_base, std::uint32_t slots) {
  const std::uint32_t wanted = (slots + kJailsPerGranule - 1) / kJailsPerGranule;
  IdRanges ranges;
  for (std::uint32_t n = 0; n < kGranules && ranges.granules_.size() < wanted; ++n) {
    const std::uint32_t first = uid_base + n * kJailsPerGranule * jail::kIdsPerJail;
    auto lease = take(first);
    if (!lease && lease.error().errno_value == EADDRINUSE) continue;
    if (!lease) return std::unexpected(lease.error());
    ranges.granules_.push_back(first);
    ranges.leases_.push_back(std::move(*lease));
  }
  if (ranges.granules_.size() < wanted) {
    return base::failure(base::Code::kExhausted, "host_ids",
                         "every range of host ids from " + std::to_string(uid_base) + " on is in use by other daemons");
  }
  return ranges;
}

std::uint32_t IdRanges::first_id(std::uint32_t slot) const {
  return granules_.at(slot / kJailsPerGranule) + jail::kIdsPerJail * (slot % kJailsPerGranule);
}

std::string IdRanges::map_lines(std::uint32_t inside) const {
  constexpr std::uint32_t kIdsPerGranule = kJailsPerGranule * jail::kIdsPerJail;
  std::string lines;
  for (const std::uint32_t first : granules_) {
    lines += std::to_string(inside) + " " + std::to_string(first) + " " + std::to_string(kIdsPerGranule) + "\n";
    inside += kIdsPerGranule;
  }
  return lines;
}

}  // namespace outrigger::jailer
