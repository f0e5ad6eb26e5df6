#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "families/families.h"

namespace outrigger::families {

// Serves a page of metrics at /metrics by HTTP, on threads of its own (prometheus-cpp's Exposer).
class PageServer {
 public:
  // `address`: "127.0.0.1:9464", "[::1]:9464". `page` is called on those threads, one at a time. kSystem where nothing
  // can listen there.
  static base::Result<std::unique_ptr<PageServer>> listen(const std::string& address, std::function<Families()> page);
  virtual ~PageServer() = default;
};

}  // namespace outrigger::families
