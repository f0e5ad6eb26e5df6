#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::jailer {

// An empty network namespace for each slot, made once: making one costs a third of a jail, and taking it down as much
// again in the kernel's worker. Jails of one slot use the same one after each other, never at the same time. None can
// leave a trace in it: it belongs to the initial user namespace, so no capability of a jail reaches it; its /proc/sys
// is read-only; and the filter lets no socket be made but connected AF_UNIX pairs, which are in no namespace's tables
// once closed.
class NetworkNamespaces {
 public:
  // Makes `count`; the calling process ends up in a further one, with no interface of the host's. Error step:
  // network_namespaces. Needs /proc, a single thread and CAP_SYS_ADMIN.
  static base::Result<NetworkNamespaces> make(std::uint32_t count);

  // The descriptors: of a slot's, and of the one the calling process is at home in.
  [[nodiscard]] int slot(std::uint32_t number) const { return namespaces_.at(number).get(); }
  [[nodiscard]] int home() const { return home_.get(); }

 private:
  base::UniqueFd home_;
  std::vector<base::UniqueFd> namespaces_;
};

}  // namespace outrigger::jailer
