#pragma once

#include <memory>

#include "base/error.h"
#include "jail/cgroup_driver.h"
#include "jailer/definitions.h"
#include "jailer/id_ranges.h"
#include "jailer/network_namespaces.h"

namespace outrigger::jailer {

// What jails are made of, held by the keeper and inherited by each jailer it forks: so a jailer that follows another
// has the same ids, namespaces, images and groups' place, and no right that the other had not.
struct Machine {
  Definitions definitions;
  IdRanges ids;
  IdRanges template_ids;
  NetworkNamespaces networks;  // one a slot
  std::unique_ptr<jail::CgroupDriver> cgroups;
};

// Leases ids, makes the network namespaces, finds the place for groups, then gives up the host's file system
// (jailer/stage.h) and all capabilities but those that making jails takes. Error steps: the failing step's. Needs a
// single-threaded process.
base::Result<Machine> prepare_machine(Definitions definitions);

}  // namespace outrigger::jailer
