#pragma once

#include <boost/asio/buffer.hpp>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/runtime.h"

namespace outrigger::run {

// A job as the launch stream of jail/plan.h. The buffers point into the job and into this object, which must not move
// once they were taken.
class LaunchPayload {
 public:
  LaunchPayload(const model::Job& job, const model::Runtime& runtime);
  LaunchPayload(const LaunchPayload&) = delete;
  LaunchPayload& operator=(const LaunchPayload&) = delete;

  [[nodiscard]] const std::vector<boost::asio::const_buffer>& buffers() const { return buffers_; }

 private:
  void add_file(const std::string& path, const std::string& content, unsigned mode);

  std::vector<std::string> owned_;
  std::vector<boost::asio::const_buffer> buffers_;
};

// The environment a program starts with: the jail's own short one, then the runtime's, then the caller's; the last
// setting of a name wins. "NAME=value" each.
std::vector<std::string> environment(const model::Job& job, const model::Runtime& runtime);

}  // namespace outrigger::run
