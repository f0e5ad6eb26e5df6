#include "jailer/templates.h"

#include <poll.h>

#include <algorithm>

#include "base/log.h"
#include "sys/process.h"

namespace outrigger::jailer {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Serving, starting and retiring ones of all runtimes; as many ids are leased for them.
constexpr std::size_t kMostTemplates = IdRanges::kJailsPerGranule;
// Importing takes seconds where an image is cold on the disk.
constexpr auto kReadyTimeout = 60s;
constexpr auto kAfterFailure = 5s;

}  // namespace

base::Status Templates::start(std::uint32_t runtime) {
  if (entries_.size() >= kMostTemplates) return base::failure(base::Code::kExhausted, "template", "too many retire");
  std::uint32_t slot = 0;
  while (std::ranges::any_of(entries_, [slot](const Entry& entry) { return entry.slot == slot; })) ++slot;
  const std::uint32_t host_id = settings_.ids.first_id(slot);
  const TemplateStart start{settings_.sandbox_init, host_id,
                            "0 " + std::to_string(host_id) + " 1\n" + settings_.jail_id_map};
  auto process = TemplateProcess::start(*settings_.definitions.at(runtime), start, cgroups_);
  if (!process) return std::unexpected(process.error());
  entries_.push_back({next_id_++, runtime, State::kStarting, std::move(*process), slot, 0, 0, Clock::now()});
  return {};
}

base::Status Templates::start_all() {
  for (std::uint32_t runtime = 0; runtime < settings_.definitions.size(); ++runtime) {
    if (!settings_.definitions[runtime]) continue;
    if (const base::Status started = start(runtime); !started) return started;
  }
  return {};
}

base::Status Templates::await_all() {
  for (Entry& entry : entries_) {
    pollfd wait{entry.process.socket(), POLLIN, 0};
    const auto left = entry.born + kReadyTimeout - Clock::now();
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
    if (::poll(&wait, 1, static_cast<int>(std::max<decltype(milliseconds)>(milliseconds, 0))) == 0) {
      return base::system_error("template", "not ready in time", ETIMEDOUT);
    }
    const auto word = entry.process.receive();
    if (!word) return std::unexpected(word.error());
    on_ready(entry);
  }
  return {};
}

Templates::Entry* Templates::find(std::uint32_t runtime, State state) {
  for (Entry& entry : entries_) {
    if (entry.runtime == runtime && entry.state == state) return &entry;
  }
  return nullptr;
}

Templates::Entry* Templates::find(Id id) {
  for (Entry& entry : entries_) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

base::Result<Templates::Chosen> Templates::choose(std::uint32_t runtime) {
  if (runtime >= settings_.definitions.size() || !settings_.definitions[runtime]) {
    return base::failure(base::Code::kInvalid, "template", "the runtime has none");
  }
  const TemplateDefinition& definition = *settings_.definitions[runtime];
  Entry* serving = find(runtime, State::kServing);
  const bool used_up = serving == nullptr || serving->served >= definition.max_jails ||
                       Clock::now() - serving->born >= definition.max_age;
  if (used_up && find(runtime, State::kStarting) == nullptr && Clock::now() >= not_before_) {
    if (const base::Status started = start(runtime); !started) {
      not_before_ = Clock::now() + kAfterFailure;
      base::log(base::Level::kError, "template_not_started", {{"error", started.error().text()}});
    }
  }
  if (serving == nullptr) return base::failure(base::Code::kNotFound, "template", "none is ready");
  ++serving->served;
  ++serving->live;
  return Chosen{serving->id, serving->process.host_id()};
}

base::Status Templates::send(Id id, const jail::TemplateRequest& request, std::span<const int> fds) {
  Entry* entry = find(id);
  if (entry == nullptr) return base::failure(base::Code::kNotFound, "template", "it has ended");
  return entry->process.send(request, fds);
}

void Templates::release(Id id) {
  Entry* entry = find(id);
  if (entry == nullptr) return;
  --entry->live;
  retire_if_done(*entry);
}

void Templates::retire_if_done(Entry& entry) {
  if (entry.state != State::kRetiring || entry.live > 0) return;
  entry.state = State::kDying;
  entry.process.kill();
}

void Templates::on_ready(Entry& entry) {
  if (Entry* before = find(entry.runtime, State::kServing)) {
    before->state = State::kRetiring;
    retire_if_done(*before);
  }
  entry.state = State::kServing;
}

void Templates::on_death(Entry& entry, const base::Error& error) {
  if (entry.state == State::kStarting) not_before_ = Clock::now() + kAfterFailure;
  if (entry.state != State::kDying) {
    base::log(base::Level::kError, "template_ended", {{"error", error.text()}, {"jails", std::to_string(entry.live)}});
    entry.process.kill();
  }
  entry.state = State::kDying;
}

std::vector<int> Templates::descriptors(bool& retry_soon) const {
  std::vector<int> fds;
  for (const Entry& entry : entries_) {
    if (entry.state != State::kDying) {
      fds.push_back(entry.process.socket());
    } else if (entry.live == 0) {
      // Its socket reads as ended for ever: what is awaited is the end of the process.
      if (entry.process.reaped()) {
        retry_soon = true;
      } else {
        fds.push_back(entry.process.pidfd());
      }
    }
  }
  return fds;
}

std::vector<Templates::Event> Templates::take_events() {
  std::vector<Event> events;
  for (Entry& entry : entries_) {
    while (entry.state != State::kDying && sys::has_events(entry.process.socket())) {
      auto word = entry.process.receive();
      if (!word) {
        on_death(entry, word.error());
        events.push_back({entry.id, std::nullopt, std::unexpected(word.error())});
      } else if (word->reply.sequence == 0) {
        on_ready(entry);
      } else if (word->pidfd) {
        events.push_back({entry.id, word->reply.sequence, std::move(word->pidfd)});
      } else {
        events.push_back({entry.id, word->reply.sequence,
                          base::system_error(jail::step_name(word->reply.step), "template", word->reply.errno_value)});
      }
    }
  }
  bury();
  return events;
}

void Templates::bury() {
  std::erase_if(entries_, [this](Entry& entry) {
    return entry.state == State::kDying && entry.live == 0 && entry.process.finish(cgroups_);
  });
}

void Templates::shut_down() {
  for (Entry& entry : entries_) {
    entry.state = State::kDying;
    entry.live = 0;
    entry.process.kill();
  }
  while (!entries_.empty()) {
    bury();
    if (!entries_.empty()) ::poll(nullptr, 0, 1);
  }
}

}  // namespace outrigger::jailer
