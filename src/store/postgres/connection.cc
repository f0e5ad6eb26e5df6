#include "store_postgres/connection.h"

#include <poll.h>

#include <algorithm>
#include <array>

#include "store_postgres/errors.h"

namespace outrigger::store::postgres {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

void say_nothing(void*, const char*) {}

struct FreeOptions {
  void operator()(PQconninfoOption* options) const noexcept { ::PQconninfoFree(options); }
};

}  // namespace

Connection::Connection(std::string url, milliseconds patience) : url_(std::move(url)), patience_(patience) {
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(::PQconninfoParse(url_.c_str(), nullptr));
  secrets_ = secrets_in(options.get());
}

// A word from the server while nothing was asked is mostly its farewell: the end of the stream comes behind it.
bool Connection::is_open() {
  constexpr int kMostReads = 8;
  for (int i = 0; handle_ && i < kMostReads; ++i) {
    pollfd socket{::PQsocket(handle_.get()), POLLIN, 0};
    if (::poll(&socket, 1, 0) <= 0) break;
    if (::PQconsumeInput(handle_.get()) == 0) close();
  }
  if (handle_ && ::PQstatus(handle_.get()) != CONNECTION_OK) close();
  return handle_ != nullptr;
}

base::Status Connection::open(std::string_view step, Deadline deadline) {
  if (auto started = start(step); !started) return started;
  if (auto shaken = shake_hands(step, deadline); !shaken) return shaken;
  if (::PQsetnonblocking(handle_.get(), 1) != 0) return lost(step);
  // Otherwise what we have given up on could pile up at the server, each with a backend and its locks.
  return script(step, "SET statement_timeout = " + std::to_string(patience_.count()), deadline);
}

// What stands before `dbname` is what the connection string may change, what stands after it is not.
base::Status Connection::start(std::string_view step) {
  const std::string unanswered = std::to_string(patience_.count() / 2);  // leaves time for a second host
  const std::array keywords{"keepalives",       "keepalives_idle",  "keepalives_interval",
                            "keepalives_count", "tcp_user_timeout", "fallback_application_name",
                            "dbname",           "client_encoding",  static_cast<const char*>(nullptr)};
  const std::array values{
      "1", "10", "5", "3", unanswered.c_str(), "outrigger", url_.c_str(), "UTF8", static_cast<const char*>(nullptr)};
  constexpr int kExpandConnectionString = 1;
  handle_.reset(::PQconnectStartParams(keywords.data(), values.data(), kExpandConnectionString));
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(::PQconninfoParse(url_.c_str(), nullptr));
  if (!options) {  // libpq's message would quote it
    close();
    return base::failure(base::Code::kSystem, step, "the URL is not one of PostgreSQL's connection strings");
  }
  if (::PQstatus(handle_.get()) == CONNECTION_BAD) return lost(step);
  ::PQsetNoticeProcessor(handle_.get(), say_nothing, nullptr);
  return {};
}

base::Status Connection::shake_hands(std::string_view step, Deadline deadline) {
  short events = POLLOUT;
  while (true) {
    if (auto ready = wait(step, events, deadline); !ready) return ready;
    switch (::PQconnectPoll(handle_.get())) {
      case PGRES_POLLING_OK: return {};
      case PGRES_POLLING_READING: events = POLLIN; break;
      case PGRES_POLLING_WRITING: events = POLLOUT; break;
      default: return lost(step);
    }
  }
}

base::Result<Answer> Connection::query(std::string_view step, const std::string& sql,
                                       std::span<const Parameter> parameters, Deadline deadline) {
  std::vector<const char*> values;
  std::vector<int> lengths;
  std::vector<int> formats;
  for (const Parameter& parameter : parameters) {
    // As text it would end at the NUL, and something else would be looked for or kept.
    if (!parameter.is_binary && parameter.value.find('\0') != std::string::npos) {
      return base::failure(base::Code::kInvalid, step, "a text holds a NUL");
    }
    values.push_back(parameter.value.data());
    lengths.push_back(static_cast<int>(parameter.value.size()));
    formats.push_back(parameter.is_binary ? 1 : 0);
  }
  constexpr int kResultAsText = 0;
  if (::PQsendQueryParams(handle_.get(), sql.c_str(), static_cast<int>(values.size()), nullptr, values.data(),
                          lengths.data(), formats.data(), kResultAsText) == 0) {
    return lost(step);
  }
  return collect(step, deadline);
}

base::Status Connection::script(std::string_view step, const std::string& sql, Deadline deadline) {
  if (::PQsendQuery(handle_.get(), sql.c_str()) == 0) return lost(step);
  const auto answer = collect(step, deadline);
  if (!answer) return std::unexpected(answer.error());
  return {};
}

base::Status Connection::flush(std::string_view step, Deadline deadline) {
  while (true) {
    const int left = ::PQflush(handle_.get());
    if (left == 0) return {};
    if (left < 0) return lost(step);
    // The server may be writing too, and read nothing until that has been taken from it.
    if (auto ready = wait(step, POLLIN | POLLOUT, deadline); !ready) return ready;
    if (::PQconsumeInput(handle_.get()) == 0) return lost(step);
  }
}

// The last statement's answer, or the first error.
base::Result<Answer> Connection::collect(std::string_view step, Deadline deadline) {
  if (const auto sent = flush(step, deadline); !sent) return std::unexpected(sent.error());
  Answer answer;
  std::optional<base::Error> error;
  while (true) {
    while (::PQisBusy(handle_.get()) != 0) {
      if (const auto ready = wait(step, POLLIN, deadline); !ready) return std::unexpected(ready.error());
      if (::PQconsumeInput(handle_.get()) == 0) return lost(step);
    }
    OwnedResult result(::PQgetResult(handle_.get()));
    if (!result) break;
    const ExecStatusType status = ::PQresultStatus(result.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY) {
      answer = Answer(std::move(result));
    } else if (!error) {
      error = statement_error(step, *result, secrets_);
    }
  }
  if (!error) return answer;
  if (!leaves_connection(*error)) close();
  return std::unexpected(*std::move(error));
}

base::Status Connection::wait(std::string_view step, short events, Deadline deadline) {
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    pollfd socket{::PQsocket(handle_.get()), events, 0};
    const int ready = ::poll(&socket, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready > 0) return {};
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return base::system_error(step, "poll");
    close();
    return base::failure(base::Code::kTimedOut, step, "the server did not answer in time");
  }
}

std::unexpected<base::Error> Connection::lost(std::string_view step) {
  const std::string reason = shown_reason(::PQerrorMessage(handle_.get()), secrets_);
  close();
  return base::failure(base::Code::kSystem, step, reason);
}

}  // namespace outrigger::store::postgres
