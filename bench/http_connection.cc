#include "http_connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <charconv>
#include <string_view>

namespace outrigger::bench {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";

base::Result<std::size_t> number_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos)
    return base::failure(base::Code::kInvalid, "http_answer", "no " + std::string(name));
  text.remove_prefix(at + name.size());
  std::size_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) {
    return base::failure(base::Code::kInvalid, "http_answer", "no number after " + std::string(name));
  }
  return value;
}

}  // namespace

base::Result<HttpConnection> HttpConnection::open(std::uint16_t port) {
  base::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return base::system_error("socket");
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return base::system_error("connect", std::to_string(port));
  }
  return HttpConnection(std::move(socket));
}

base::Status HttpConnection::send_all(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t put = ::send(socket_.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return base::system_error("send");
    sent += static_cast<std::size_t>(put);
  }
  return {};
}

base::Status HttpConnection::receive_more() {
  std::array<char, 16 * 1024> buffer{};
  const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (got < 0 && errno == EINTR) return {};
  if (got < 0) return base::system_error("recv");
  if (got == 0) return base::failure(base::Code::kInternal, "recv", "the server closed the connection");
  received_.append(buffer.data(), static_cast<std::size_t>(got));
  return {};
}

base::Result<HttpAnswer> HttpConnection::exchange(const std::string& request) {
  received_.clear();
  if (const base::Status sent = send_all(request); !sent) return std::unexpected(sent.error());
  std::size_t head = std::string::npos;
  while ((head = received_.find(kEndOfHead)) == std::string::npos) {
    if (const base::Status more = receive_more(); !more) return std::unexpected(more.error());
  }
  const auto status = number_after(received_, "HTTP/1.1 ");
  const auto length = number_after(std::string_view(received_).substr(0, head), "\r\nContent-Length: ");
  if (!status) return std::unexpected(status.error());
  if (!length) return std::unexpected(length.error());
  const std::size_t begin = head + kEndOfHead.size();
  while (received_.size() < begin + *length) {
    if (const base::Status more = receive_more(); !more) return std::unexpected(more.error());
  }
  return HttpAnswer{static_cast<int>(*status), received_.substr(begin)};
}

std::string http_request(const std::string& method, const std::string& path, const std::string& body) {
  std::string request = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  if (!body.empty()) {
    request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  return request + "\r\n" + body;
}

}  // namespace outrigger::bench
