#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace outrigger::api {

// How long a test waits for what must happen; only a failing test ever waits this long.
inline constexpr std::chrono::seconds kPatience{20};

// Waits until `holds` does. False when patience has run out.
bool eventually(const std::function<bool()>& holds);

struct TestResponse {
  int status = 0;                              // 0: the connection ended instead
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// A blocking client that sends exactly the bytes it is told.
class TestClient {
 public:
  explicit TestClient(std::uint16_t port);

  void send(std::string_view bytes);
  // False where the server has closed, instead of failing the test.
  bool try_send(std::string_view bytes);
  // The next answer, by its Content-Length or in chunks; `head_only` after HEAD.
  TestResponse receive(bool head_only = false);
  // Waits until what has come and was not taken has this in it. False where the server closes before.
  bool receives(std::string_view text);
  // Whether the server closes (or resets) the connection without a byte more.
  bool closed();
  // Whether the server has neither sent anything nor closed by now.
  [[nodiscard]] bool silent() const;
  void half_close();
  // Ends with a reset instead of an orderly close.
  void reset();

 private:
  bool fill();
  std::string receive_chunks();

  base::UniqueFd socket_;
  std::string received_;
};

std::string get(std::string_view path, std::string_view more_headers = {});
std::string post(std::string_view path, std::string_view body, std::string_view more_headers = {});
// The body of a request that the test service answers as told (see TestService).
std::string job(std::string_view code, std::string_view more_members = {});

}  // namespace outrigger::api
