#include "store_postgres/test_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdlib>
#include <cstring>

#include "base/unique_fd.h"

namespace outrigger::store::postgres {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 20s;

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  if (value != nullptr) return value;
  ADD_FAILURE() << name << " is not set: run tests/stores/run_postgres.py";
  std::abort();
}

}  // namespace

std::string server_url() { return from_environment("OUTRIGGER_TEST_POSTGRES"); }

void server_do(const std::string& command) {
  const std::string path = from_environment("OUTRIGGER_TEST_POSTGRES_CONTROL");
  sockaddr_un address{AF_UNIX, {}};
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const base::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_TRUE(socket.valid());
  ASSERT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const std::string line = command + "\n";
  ASSERT_EQ(::send(socket.get(), line.data(), line.size(), 0), static_cast<ssize_t>(line.size()));
  std::string answer(4096, '\0');
  const ssize_t size = ::recv(socket.get(), answer.data(), answer.size(), MSG_WAITALL);
  answer.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  ASSERT_EQ(answer, "done\n") << command;
}

std::string server_query(const std::string& sql) {
  Connection connection(server_url(), kPatience);
  const Deadline deadline = std::chrono::steady_clock::now() + kPatience;
  if (const auto opened = connection.open("test", deadline); !opened) return opened.error().text();
  const auto answer = connection.query("test", sql, {}, deadline);
  if (!answer) return answer.error().text();
  return answer->rows() == 0 ? "" : answer->text_at(0, 0).value_or("NULL");
}

void server_script(const std::string& sql) {
  Connection connection(server_url(), kPatience);
  const Deadline deadline = std::chrono::steady_clock::now() + kPatience;
  const auto opened = connection.open("test", deadline);
  ASSERT_TRUE(opened.has_value()) << opened.error().text();
  const auto done = connection.script("test", sql, deadline);
  ASSERT_TRUE(done.has_value()) << done.error().text();
}

void clear_server() { server_script("DROP SCHEMA public CASCADE; CREATE SCHEMA public"); }

}  // namespace outrigger::store::postgres
