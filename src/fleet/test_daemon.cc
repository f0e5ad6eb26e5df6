#include "fleet/test_daemon.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <stdexcept>

namespace outrigger::fleet {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";

// Bytes of a whole request, as far as they can be told by now.
std::size_t size_of(const std::string& request) {
  const std::size_t head = request.find(kHeadEnd);
  if (head == std::string::npos) return std::string::npos;
  constexpr std::string_view kName = "Content-Length: ";
  std::size_t body = 0;
  if (const std::size_t at = request.find(kName); at < head) {
    std::from_chars(request.data() + at + kName.size(), request.data() + head, body);
  }
  return head + kHeadEnd.size() + body;
}

// What is missing where the client leaves early.
std::string read_request(int peer) {
  std::string request;
  std::array<char, 4096> buffer{};
  while (request.size() < size_of(request)) {
    const ssize_t got = ::read(peer, buffer.data(), buffer.size());
    if (got <= 0) break;
    request.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return request;
}

std::string message(int status, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) +
         " As-Told\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

}  // namespace

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

TestDaemon::TestDaemon()
    : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), stop_(::eventfd(0, EFD_CLOEXEC)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_.get(), generic, size) != 0 || ::getsockname(listener_.get(), generic, &size) != 0) {
    throw std::runtime_error("no loopback port");
  }
  port_ = ntohs(address.sin_port);
}

TestDaemon::~TestDaemon() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof one);
  if (thread_.joinable()) thread_.join();
}

void TestDaemon::listen() {
  if (::listen(listener_.get(), 8) != 0) throw std::runtime_error("listen");
  thread_ = std::thread([this] { serve(); });
}

void TestDaemon::set(const wire::Dispatch& dispatch) {
  const std::lock_guard lock(mutex_);
  dispatch_ = dispatch;
}

wire::Dispatch TestDaemon::dispatch() const {
  const std::lock_guard lock(mutex_);
  return dispatch_;
}

void TestDaemon::answer_with(int status, std::string body) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  body_ = std::move(body);
}

void TestDaemon::withhold(bool withheld) {
  const std::lock_guard lock(mutex_);
  withheld_ = withheld;
}

std::size_t TestDaemon::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

std::size_t TestDaemon::answered() const {
  const std::lock_guard lock(mutex_);
  return answered_;
}

std::vector<std::string> TestDaemon::puts() const {
  const std::lock_guard lock(mutex_);
  return puts_;
}

std::string TestDaemon::last_request() const {
  const std::lock_guard lock(mutex_);
  return last_request_;
}

bool TestDaemon::told(const std::string& needle) const { return last_request().find(needle) != std::string::npos; }

void TestDaemon::serve() {
  while (true) {
    std::array<pollfd, 2> fds{{{listener_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
    ::poll(fds.data(), fds.size(), -1);
    if (fds[1].revents != 0) return;
    const base::UniqueFd peer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (peer) serve_one(peer.get());
  }
}

void TestDaemon::serve_one(int peer) {
  const std::string request = read_request(peer);
  {
    const std::lock_guard lock(mutex_);
    ++asked_;
    last_request_ = request;
  }
  if (!wait_until_released()) return;
  const std::string text = answer(request);
  ::send(peer, text.data(), text.size(), MSG_NOSIGNAL);
}

// False where the test is over.
bool TestDaemon::wait_until_released() {
  bool released = false;
  bool stopped = false;
  eventually([&] {
    const std::lock_guard lock(mutex_);
    released = !withheld_;
    stopped = stopped_;
    return released || stopped;
  });
  return released;
}

std::string TestDaemon::answer(const std::string& request) {
  const std::lock_guard lock(mutex_);
  ++answered_;
  const bool changes = request.starts_with("PUT /api/v1/dispatch ");
  const std::string body = request.substr(request.find(kHeadEnd) + kHeadEnd.size());
  if (changes) puts_.push_back(body);
  if (status_ != 0) return message(status_, body_);
  if (!changes && !request.starts_with("GET /api/v1/dispatch ")) return message(404, "{}");
  if (changes) {
    const auto wanted = wire::parse_dispatch(body);
    if (!wanted) return message(400, "{}");
    dispatch_ = *wanted;
  }
  return message(200, wire::dispatch_to_json(dispatch_));
}

}  // namespace outrigger::fleet
