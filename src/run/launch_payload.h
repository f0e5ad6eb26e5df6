#pragma once

#include <boost/asio/buffer.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/job.h"
#include "model/runtime.h"

namespace outrigger::run {

// The launch stream of jail/plan.h: of a job, or of an interpreter that is to wait for one. The buffers point into the
// job or runtime and into this object, which must not move once they were taken.
class LaunchPayload {
 public:
  LaunchPayload(const model::Job& job, const model::Runtime& runtime);
  // The runtime's prelude: its command without arguments, keeping the launch socket.
  LaunchPayload(const model::Runtime& runtime, std::chrono::milliseconds cpu_time);
  // The runtime's template: its command and environment, and what it imports.
  explicit LaunchPayload(const model::Runtime& runtime);
  LaunchPayload(const LaunchPayload&) = delete;
  LaunchPayload& operator=(const LaunchPayload&) = delete;

  [[nodiscard]] const std::vector<boost::asio::const_buffer>& buffers() const { return buffers_; }

 private:
  void add_head(const std::vector<std::string>& arguments, const std::vector<std::string>& variables,
                std::size_t command_argc, std::size_t files, std::chrono::milliseconds cpu_time, std::uint32_t flags);
  void add_file(const std::string& path, const std::string& content, unsigned mode);

  std::string imports_;
  std::vector<std::string> owned_;
  std::vector<boost::asio::const_buffer> buffers_;
};

using Variables = std::vector<std::pair<std::string, std::string>>;

// The environment a program starts with: the jail's own short one, then the runtime's, then `more` (the caller's); the
// last setting of a name wins. "NAME=value" each.
std::vector<std::string> environment(const model::Runtime& runtime, const Variables& more);

}  // namespace outrigger::run
