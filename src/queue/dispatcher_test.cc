#include "queue/dispatcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <functional>

#include "queue/test_queue.h"

namespace outrigger::queue {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

// Ends each job at once as its code says: "fail N" is Outrigger's own failure in the first N attempts.
class Service final : public pool::ExecutionService {
 public:
  Service() {
    model::InstalledRuntime bash;
    bash.runtime.name = "bash";
    bash.runtime.source_file = "main.sh";
    bash.image_path = "/image";
    runtimes_.push_back(bash);
  }
  asio::awaitable<base::Result<model::Outcome>> execute(model::Job job, run::Attendance) override {
    ++runs;
    if (on_refusal) on_refusal(job.job_id);
    if (refuses) co_return base::failure(base::Code::kPaused, "acquire_slot", "the daemon is stopping");
    model::Outcome outcome;
    outcome.job_id = job.job_id;
    outcome.tenant_id = job.tenant_id;
    outcome.language = job.language;
    outcome.status = model::Status::kCompleted;
    outcome.exit_code = 0;
    outcome.cause = {"exited", "exited with status 0"};
    if (job.code.starts_with("fail ") && job.attempt <= static_cast<std::uint32_t>(job.code[5] - '0')) {
      outcome.status = model::Status::kInternalError;
      outcome.exit_code.reset();
      outcome.cause = {"mount_proc", "mount_proc failed"};
    }
    co_return outcome;
  }
  [[nodiscard]] const std::vector<model::InstalledRuntime>& runtimes() const override { return runtimes_; }
  [[nodiscard]] pool::PoolState state() const override { return {}; }
  [[nodiscard]] const pool::JobCounters& job_counters() const override { return counters_; }
  void set_dispatch(pool::DispatchState) override {}
  bool cancel(const std::string&, std::string_view) override { return false; }
  [[nodiscard]] std::size_t spare_slots() const override { return spare; }
  void on_spare_slots(std::function<void()>) override {}

  std::size_t spare = 4;
  std::size_t runs = 0;
  bool refuses = false;
  std::function<void(const std::string&)> on_refusal;

 private:
  std::vector<model::InstalledRuntime> runtimes_;
  pool::JobCounters counters_;
};

struct Log final : public audit::RunLog {
  [[nodiscard]] base::Status admit() const override { return {}; }
  void begin(model::RunRecord) override {}
  void end(model::RunRecord) override {}
  void hold(model::RunRecord record) override {
    held.push_back(std::string(model::status_name(record.outcome.status)));
  }
  void settle(const std::string& job_id, bool keep) override {
    settled.push_back(job_id + (keep ? " kept" : " dropped"));
  }

  std::vector<std::string> held;
  std::vector<std::string> settled;
};

struct NoCallbacks final : public Callbacks {
  void start(Line&) override {}
  void stop() override {}
  asio::awaitable<void> join() override { co_return; }
  [[nodiscard]] std::string refusal(const std::string&) const override { return "callback_url is not taken"; }
  asio::awaitable<void> prepare(std::string, Callback) override { co_return; }
  void decide(const std::string&, bool) override {}
};

class Memory final : public store::Outbox {
 public:
  base::Status open() override { return {}; }
  base::Status add(std::span<const store::Submission> jobs) override {
    for (const auto& job : jobs) jobs_[job.job_id] = {job.entry, {}};
    return {};
  }
  base::Result<std::vector<store::Submission>> due(std::chrono::system_clock::time_point before,
                                                   std::size_t at_most) override {
    std::vector<store::Submission> out;
    for (const auto& [id, kept] : jobs_) {
      if (kept.second < before && out.size() < at_most) out.push_back({id, kept.first});
    }
    return out;
  }
  base::Result<std::optional<store::Submission>> find(const std::string& job_id) override {
    return jobs_.contains(job_id) ? std::optional(store::Submission{job_id, jobs_[job_id].first}) : std::nullopt;
  }
  base::Status mark_seen(std::span<const std::string> ids, std::chrono::system_clock::time_point when) override {
    for (const auto& id : ids) jobs_[id].second = when;
    return {};
  }
  base::Status remove(std::span<const std::string> ids) override {
    for (const auto& id : ids) jobs_.erase(id);
    return {};
  }
  base::Result<std::size_t> size() override { return jobs_.size(); }

 private:
  std::map<std::string, std::pair<std::string, std::chrono::system_clock::time_point>> jobs_;
};

class DispatcherTest : public testing::Test {
 protected:
  void start(std::unique_ptr<store::Outbox> outbox = nullptr, std::vector<model::RunRecord> held = {}) {
    auto queue = std::make_unique<TestQueue>();
    queue_ = queue.get();
    DispatcherOptions options;
    options.runner.worker = "w";
    options.runner.node = "n";
    options.driver = "test";
    options.lease = 100ms;
    dispatcher_ = std::make_unique<Dispatcher>(context_.get_executor(), service_, &log_, std::move(queue),
                                               std::move(outbox), callbacks_, std::move(options));
    dispatcher_->start(std::move(held));
  }
  void TearDown() override {
    if (!dispatcher_) return;
    dispatcher_->stop_taking();
    auto done = asio::co_spawn(context_, dispatcher_->drain(1s), asio::use_future);
    run_until([&done] { return done.wait_for(0s) == std::future_status::ready; });
    dispatcher_.reset();
  }
  void run_until(const std::function<bool()>& condition) {
    const auto give_up = std::chrono::steady_clock::now() + 20s;
    context_.restart();
    while (!condition()) {
      ASSERT_LT(std::chrono::steady_clock::now(), give_up) << "waited in vain";
      context_.run_one_for(10ms);
    }
  }
  std::string submit(const std::string& code) {
    auto id = asio::co_spawn(context_,
                             dispatcher_->submit(R"({"tenant_id":"t","language":"bash","code":")" + code + "\"}", {}),
                             asio::use_future);
    run_until([&id] { return id.wait_for(0s) == std::future_status::ready; });
    const auto result = id.get();
    EXPECT_TRUE(result.has_value());
    return result.value_or("");
  }
  TestQueue::Entry entry(const std::string& job_id) {
    const std::lock_guard lock(queue_->mutex);
    return queue_->known[job_id];
  }
  void wait_settled(std::size_t count) {
    run_until([this, count] { return log_.settled.size() >= count; });
  }

  asio::io_context context_{1};
  Service service_;
  Log log_;
  NoCallbacks callbacks_;
  TestQueue* queue_ = nullptr;
  std::unique_ptr<Dispatcher> dispatcher_;
};

TEST_F(DispatcherTest, AJobIsRunAndItsRowKept) {
  start();
  const std::string id = submit("true");
  wait_settled(1);
  EXPECT_THAT(log_.settled, ElementsAre(id + " kept"));
  EXPECT_EQ(entry(id).state, store::JobState::kFinished);
  EXPECT_THAT(entry(id).result, HasSubstr(R"("status":"completed")"));
  EXPECT_THAT(entry(id).result, HasSubstr(R"("attempt":1,"node":"n")"));
}

TEST_F(DispatcherTest, AnAnswerThatWasLostIsNotALostResult) {
  start();
  queue_->lost_answers = 1;
  const std::string id = submit("true");
  wait_settled(1);
  EXPECT_THAT(log_.settled, ElementsAre(id + " kept")) << "the second try finds the job final, by this very attempt";
}

TEST_F(DispatcherTest, WhatAnotherMadeFinalIsDropped) {
  start();
  queue_->is_anothers = true;
  const std::string id = submit("true");
  wait_settled(1);
  EXPECT_THAT(log_.settled, ElementsAre(id + " dropped"));
}

TEST_F(DispatcherTest, OurOwnFailureIsTriedAgain) {
  start();
  const std::string id = submit("fail 2");
  wait_settled(3);
  EXPECT_THAT(log_.settled, ElementsAre(id + " dropped", id + " dropped", id + " kept"));
  EXPECT_EQ(entry(id).attempt, 3U);
  EXPECT_THAT(entry(id).result, HasSubstr(R"("status":"completed")"));
}

TEST_F(DispatcherTest, ThreeTimesAndNoMore) {
  start();
  const std::string id = submit("fail 9");
  wait_settled(3);
  EXPECT_EQ(entry(id).state, store::JobState::kDead);
  EXPECT_THAT(queue_->dead, ElementsAre(HasSubstr("mount_proc failed")));
  EXPECT_EQ(log_.settled.back(), id + " kept") << "it has a row that says so";
  EXPECT_EQ(service_.runs, 3U);
}

TEST_F(DispatcherTest, WhoseWorkersAllDiedIsBuriedUnrun) {
  start();
  {
    const std::lock_guard lock(queue_->mutex);
    TestQueue::Entry job{R"({"job_id":"x","tenant_id":"t","language":"bash","code":"true"})"};
    job.attempt = 3;
    job.last_failure = "worker n2 vanished while attempt 3 ran";
    queue_->known["x"] = job;
    queue_->waiting.push_back("x");
    queue_->changed.notify_all();
  }
  wait_settled(1);
  EXPECT_EQ(service_.runs, 0U);
  EXPECT_THAT(queue_->dead, ElementsAre(HasSubstr("n2 vanished")));
  EXPECT_THAT(entry("x").result, HasSubstr("attempts_exhausted"));
  EXPECT_THAT(log_.held, ElementsAre("internal_error"));
}

TEST_F(DispatcherTest, AnEntryThatIsNoJobIsExplained) {
  start();
  const std::pair<const char*, const char*> entries[] = {
      {R"({"job_id":"a","tenant_id":"t","language":"cobol","code":"x"})", "language is not one of: bash"},
      {R"({"job_id":"b","tenant_id":"t","language":"bash"})", "code is required"},
      {R"({"job_id":"c","tenant_id":"t","language":"bash","code":"x","callback_url":"http://x/"})", "callback_url"},
  };
  for (const auto& [text, reason] : entries) {
    {
      const std::lock_guard lock(queue_->mutex);
      const std::string id(1, text[11]);
      queue_->known[id] = TestQueue::Entry{text};
      queue_->waiting.push_back(id);
      queue_->changed.notify_all();
    }
    const std::string wanted = reason;
    run_until([this, &wanted] {
      const std::lock_guard lock(queue_->mutex);
      return !queue_->dead.empty() && queue_->dead.back().find(wanted) != std::string::npos;
    });
  }
  EXPECT_EQ(service_.runs, 0U);
  EXPECT_TRUE(log_.held.empty()) << "what was no job has no row";
  EXPECT_THAT(entry("b").result, HasSubstr(R"("field":"code")"));
}

TEST_F(DispatcherTest, ACancelledOneIsFinishedUnrun) {
  start();
  service_.spare = 0;
  const std::string id = submit("true");
  auto answer = asio::co_spawn(context_, dispatcher_->cancel(id), asio::use_future);
  wait_settled(1);
  EXPECT_EQ(answer.get().value(), Cancelled::kUnderWay);
  EXPECT_EQ(service_.runs, 0U);
  EXPECT_THAT(entry(id).result, HasSubstr(R"("status":"cancelled")"));
  EXPECT_THAT(log_.held, ElementsAre("cancelled"));
}

TEST_F(DispatcherTest, WhatCouldNotBeRunIsGivenBack) {
  start();
  service_.refuses = true;
  submit("true");
  run_until([this] {
    const std::lock_guard lock(queue_->mutex);
    return queue_->given_back > 0;
  });
  EXPECT_TRUE(log_.held.empty());
}

TEST_F(DispatcherTest, ACancellationThatMeetsAJobOnItsWayBackIsNotLost) {
  start();
  service_.refuses = true;
  service_.on_refusal = [this](const std::string& job_id) {
    asio::co_spawn(context_, dispatcher_->cancel(job_id), [](const std::exception_ptr&, const auto& answer) {
      EXPECT_EQ(answer.value(), Cancelled::kUnderWay);
    });
  };
  const std::string id = submit("true");
  wait_settled(1);
  EXPECT_THAT(log_.held, ElementsAre("cancelled"));
  EXPECT_THAT(log_.settled, ElementsAre(id + " kept"));
  EXPECT_EQ(service_.runs, 1U);
}

TEST_F(DispatcherTest, PromisesThatComeTogetherAreKeptTogether) {
  start();
  std::vector<std::future<base::Result<std::string>>> ids;
  for (int i = 0; i < 50; ++i) {
    ids.push_back(asio::co_spawn(
        context_, dispatcher_->submit(R"({"tenant_id":"t","language":"bash","code":"true"})", {}), asio::use_future));
  }
  wait_settled(50);
  for (auto& id : ids) EXPECT_TRUE(id.get().has_value());
  EXPECT_LE(queue_->puts, 5U);
}

TEST_F(DispatcherTest, APromiseIsKeptWhileTheQueueIsAway) {
  start(std::make_unique<Memory>());
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->away = true;
  }
  const std::string id = submit("true");
  auto status = asio::co_spawn(context_, dispatcher_->look(id), asio::use_future);
  run_until([&status] { return status.wait_for(0s) == std::future_status::ready; });
  const auto seen = status.get();
  EXPECT_EQ(seen->state, "queued");
  EXPECT_EQ(seen->tenant_id, "t") << "as it is kept here";
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->away = false;
  }
  wait_settled(1);
  EXPECT_THAT(log_.settled, ElementsAre(id + " kept"));
}

TEST_F(DispatcherTest, WhatTheQueueForgetsIsPutInAgain) {
  start(std::make_unique<Memory>());
  service_.spare = 0;
  const std::string id = submit("true");
  const auto is_waiting = [this] {
    const std::lock_guard lock(queue_->mutex);
    return queue_->waiting.size() == 1;
  };
  run_until(is_waiting);
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->known.clear();
    queue_->waiting.clear();
  }
  run_until(is_waiting);
  service_.spare = 4;
  wait_settled(1);
  EXPECT_THAT(log_.settled, ElementsAre(id + " kept"));
}

TEST_F(DispatcherTest, AHeldRowIsSettledByWhatTheQueueSays) {
  model::RunRecord mine;
  mine.outcome.job_id = "mine";
  mine.attempt = 1;
  model::RunRecord others = mine;
  others.outcome.job_id = "others";
  start(nullptr, {mine, others});
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->known["mine"] = {"", store::JobState::kFinished, 1, false, "w", R"({"attempt":1})", ""};
    queue_->known["others"] = {"", store::JobState::kFinished, 2, false, "w2", R"({"attempt":2})", ""};
  }
  wait_settled(2);
  EXPECT_THAT(log_.settled, testing::UnorderedElementsAre("mine kept", "others dropped"));
}

}  // namespace
}  // namespace outrigger::queue
