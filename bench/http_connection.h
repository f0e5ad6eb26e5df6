#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::bench {

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// One keep-alive connection to a server on 127.0.0.1, as thin as a client can be: what is measured through it is the
// server. Understands answers with a Content-Length, and no others.
class HttpConnection {
 public:
  static base::Result<HttpConnection> open(std::uint16_t port);

  // Sends `request` as it is, head and body, and reads the answer to its end.
  base::Result<HttpAnswer> exchange(const std::string& request);

 private:
  explicit HttpConnection(base::UniqueFd socket) : socket_(std::move(socket)) {}
  base::Status send_all(const std::string& bytes);
  base::Status receive_more();

  base::UniqueFd socket_;
  std::string received_;
};

// The head and body of a request; an empty body is sent without one.
std::string http_request(const std::string& method, const std::string& path, const std::string& body);

}  // namespace outrigger::bench
