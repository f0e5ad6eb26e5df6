#include "jailer/network_namespaces.h"

#include <fcntl.h>
#include <sched.h>

#include "sys/small_file.h"

namespace outrigger::jailer {

base::Result<NetworkNamespaces> NetworkNamespaces::make(std::uint32_t count) {
  NetworkNamespaces pool;
  for (std::uint32_t i = 0; i <= count; ++i) {
    if (::unshare(CLONE_NEWNET) != 0) return base::system_error("network_namespaces", "unshare");
    auto opened = sys::open_at(AT_FDCWD, "/proc/self/ns/net", O_RDONLY);
    if (!opened) return base::system_error("network_namespaces", "/proc/self/ns/net", opened.error().errno_value);
    if (i == count) {
      pool.home_ = std::move(*opened);
    } else {
      pool.namespaces_.push_back(std::move(*opened));
    }
  }
  return pool;
}

}  // namespace outrigger::jailer
