#pragma once

#include <chrono>
#include <cstddef>

namespace outrigger::httpd {

struct Options {
  std::chrono::milliseconds header_timeout{10000};
  std::chrono::milliseconds body_timeout{30000};
  std::chrono::milliseconds idle_timeout{60000};
  std::chrono::milliseconds write_timeout{60000};
  // A WebSocket's client that has sent nothing for so long is sent a ping, and is gone if it has not answered when as
  // much again has passed.
  std::chrono::milliseconds ping_after{15000};
  // How long a connection we have ended is still read from, so that its client gets to see our last answer.
  std::chrono::milliseconds linger_timeout{5000};

  std::size_t max_connections = 2048;
  std::size_t max_head = 16U << 10;
  std::size_t max_body = 16U << 20;
  // Of all requests together that are being read or worked on; what has been received counts, not what was announced.
  std::size_t max_buffered = 256U << 20;
};

}  // namespace outrigger::httpd
