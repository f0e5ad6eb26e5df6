#include "fleet/dispatch_line.h"

#include <expected>

#include "http/client.h"
#include "wire/dispatch_json.h"
#include "wire/error_json.h"

namespace outrigger::fleet {
namespace {

using Reach = DispatchState::Reach;
using namespace std::chrono_literals;

constexpr char kTarget[] = "/api/v1/dispatch";
constexpr std::size_t kMaxReason = 256;  // the daemon takes no longer one

struct Trouble {
  Reach reach;
  std::string text;
};

std::string refusal(const http::Answer& answer, const std::string& url) {
  const auto error = wire::parse_error(answer.body);
  const std::string status = std::to_string(answer.status);
  if (answer.status == 401 || answer.status == 403) {
    return url + " refused the auditor (HTTP " + status + "): set crows_nest.token, or OUTRIGGER_TOKEN";
  }
  return url + " answered with HTTP " + status + (error ? ": " + error->message : "");
}

std::expected<wire::Dispatch, Trouble> call(const DaemonAddress& address, http::Method method,
                                            const std::string& body) {
  const auto place = http::parse_server(address.url);
  if (!place) return std::unexpected(Trouble{Reach::kUnreachable, place.error()});
  http::Request request;
  request.host = place->host;
  request.port = place->port;
  request.method = method;
  request.target = kTarget;
  request.token = address.token;
  request.body = body;
  request.connect_timeout = 1s;
  request.answer_timeout = 2s;
  const auto answer = http::exchange(request);
  if (!answer) return std::unexpected(Trouble{Reach::kUnreachable, answer.error().text});
  if (answer->status != 200) return std::unexpected(Trouble{Reach::kRefused, refusal(*answer, address.url)});
  auto state = wire::parse_dispatch(answer->body);
  if (!state) return std::unexpected(Trouble{Reach::kRefused, address.url + " does not answer as Outrigger does"});
  return std::move(*state);
}

void set(DispatchState& state, const std::expected<wire::Dispatch, Trouble>& heard) {
  if (!heard) {
    state.reach = heard.error().reach;
    state.trouble = heard.error().text;
    return;
  }
  state.reach = Reach::kReached;
  state.trouble.clear();
  state.paused = heard->paused;
  state.reason = heard->reason;
  const bool ours = heard->paused && heard->reason.starts_with(kReasonPrefix);
  if (ours != state.own.in_force) state.own = {ours, std::chrono::steady_clock::now()};
}

}  // namespace

DispatchState ask_dispatch(const DaemonAddress& address) {
  DispatchState state;
  if (!address.url.empty()) set(state, call(address, http::Method::kGet, {}));
  return state;
}

DispatchLine::DispatchLine(std::chrono::milliseconds interval) : interval_(interval), thread_([this] { work(); }) {}

DispatchLine::~DispatchLine() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DispatchLine::set_address(DaemonAddress address) {
  const std::lock_guard lock(mutex_);
  if (address.url == address_.url && address.token == address_.token) return;
  address_ = std::move(address);
  hurry_ = true;
  changed_.notify_all();
}

void DispatchLine::want(bool paused, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  reason_ = reason;
  if (paused == wanted_) return;
  wanted_ = paused;
  hurry_ = true;
  changed_.notify_all();
}

DispatchState DispatchLine::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void DispatchLine::note(const DispatchState& state) {
  const std::lock_guard lock(mutex_);
  state_ = state;
}

void DispatchLine::work() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    hurry_ = false;
    const DaemonAddress address = address_;
    const bool wanted = wanted_;
    const std::string reason = reason_;
    lock.unlock();
    if (!address.url.empty()) exchange(address, wanted, reason);
    lock.lock();
    changed_.wait_for(lock, interval_, [this] { return stopped_ || hurry_; });
  }
}

// First what stands, so that a pause of somebody else's is neither taken for ours nor ended by us.
void DispatchLine::exchange(const DaemonAddress& address, bool wanted, const std::string& reason) {
  const bool was_ours = state().own.in_force;
  DispatchState now = state();
  set(now, call(address, http::Method::kGet, {}));
  // Wanted was what it is without knowing this, as after another auditor's death: let it be thought over.
  if (now.own.in_force != was_ours) return note(now);
  const bool differs = wanted ? !now.paused : now.own.in_force;
  if (now.reach == Reach::kReached && differs) {
    const std::string text = (kReasonPrefix + reason).substr(0, kMaxReason);
    set(now, call(address, http::Method::kPut, wire::dispatch_to_json({wanted, wanted ? text : ""})));
  }
  note(now);
}

}  // namespace outrigger::fleet
