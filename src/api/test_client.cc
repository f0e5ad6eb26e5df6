#include "api/test_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <thread>

namespace outrigger::api {
namespace {

constexpr std::chrono::milliseconds kLookAgain{2};

int patience_ms() { return static_cast<int>(std::chrono::milliseconds(kPatience).count()); }

}  // namespace

bool eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kLookAgain);
  }
  return true;
}

TestClient::TestClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr generic{};
  static_assert(sizeof generic == sizeof address);
  std::memcpy(&generic, &address, sizeof address);
  if (::connect(socket_.get(), &generic, sizeof generic) != 0) ADD_FAILURE() << "connect: " << errno;
}

bool TestClient::try_send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void TestClient::send(std::string_view bytes) { EXPECT_TRUE(try_send(bytes)) << "the server has closed"; }

bool TestClient::fill() {
  pollfd entry{socket_.get(), POLLIN, 0};
  if (::poll(&entry, 1, patience_ms()) != 1) {
    ADD_FAILURE() << "the server neither answered nor closed";
    return false;
  }
  std::array<char, 65536> piece{};
  const ssize_t size = ::recv(socket_.get(), piece.data(), piece.size(), 0);
  if (size <= 0) return false;
  received_.append(piece.data(), static_cast<std::size_t>(size));
  return true;
}

bool TestClient::receives(std::string_view text) {
  while (received_.find(text) == std::string::npos) {
    if (!fill()) return false;
  }
  return true;
}

std::string TestClient::receive_chunks() {
  std::string body;
  for (;;) {
    if (!receives("\r\n")) return body;
    const std::size_t size = std::stoul(received_, nullptr, 16);
    received_.erase(0, received_.find("\r\n") + 2);
    while (received_.size() < size + 2) {
      if (!fill()) return body;
    }
    body += received_.substr(0, size);
    received_.erase(0, size + 2);
    if (size == 0) return body;
  }
}

TestResponse TestClient::receive(bool head_only) {
  TestResponse out;
  std::size_t end = 0;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill()) return out;
  }
  const std::string head = received_.substr(0, end + 2);
  received_.erase(0, end + 4);
  out.status = std::stoi(head.substr(9, 3));
  for (std::size_t line = head.find("\r\n") + 2; line < head.size(); line = head.find("\r\n", line) + 2) {
    const std::size_t colon = head.find(": ", line);
    std::string name = head.substr(line, colon - line);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    out.headers[name] = head.substr(colon + 2, head.find("\r\n", line) - colon - 2);
  }
  if (out.headers.contains("transfer-encoding")) {
    out.body = receive_chunks();
    return out;
  }
  if (head_only || !out.headers.contains("content-length")) return out;
  const std::size_t length = std::stoul(out.headers["content-length"]);
  while (received_.size() < length) {
    if (!fill()) return TestResponse{};
  }
  out.body = received_.substr(0, length);
  received_.erase(0, length);
  return out;
}

bool TestClient::closed() { return received_.empty() && !fill() && received_.empty(); }

bool TestClient::silent() const {
  pollfd entry{socket_.get(), POLLIN, 0};
  return received_.empty() && ::poll(&entry, 1, 0) == 0;
}

void TestClient::half_close() { ::shutdown(socket_.get(), SHUT_WR); }

void TestClient::reset() {
  const linger at_once{1, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket_.reset();
}

std::string get(std::string_view path, std::string_view more_headers) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(more_headers) + "\r\n";
}

std::string post(std::string_view path, std::string_view body, std::string_view more_headers) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + std::string(more_headers) + "\r\n" + std::string(body);
}

std::string job(std::string_view code, std::string_view more_members) {
  return R"({"tenant_id":"t","language":"python","code":")" + std::string(code) + "\"" +
         (more_members.empty() ? "" : ",") + std::string(more_members) + "}";
}

}  // namespace outrigger::api
