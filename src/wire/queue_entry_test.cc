#include <gtest/gtest.h>

#include "wire/execute_request.h"
#include "wire/job_status.h"
#include "wire/outcome_json.h"

namespace outrigger::wire {
namespace {

constexpr std::string_view kBody = R"({"tenant_id":"acme","language":"bash","code":"true"})";

std::string with(std::string_view members) {
  return R"({"tenant_id":"acme","language":"bash","code":"true",)" + std::string(members) + "}";
}

TEST(QueueEntry, IsTheRequestWithAnId) {
  const std::chrono::system_clock::time_point time{std::chrono::seconds{1738315800}};
  const std::string entry = queue_entry(kBody, "id-1", time);
  const auto parsed = parse_queue_entry(entry, {});
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->job.job_id, "id-1");
  EXPECT_EQ(parsed->job.origin, model::Origin::kQueue);
  EXPECT_EQ(parsed->job.received_at, time);
  EXPECT_EQ(parsed->job.code, "true");
}

TEST(QueueEntry, GetsAnIdWhereItsProducerGaveNone) {
  const auto named = name_queue_entry("  " + std::string(kBody), "new");
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->job_id, "new");
  const auto parsed = parse_queue_entry(named->entry, {});
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->job.job_id, "new");
  const auto again = name_queue_entry(named->entry, "other");
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->job_id, "new") << "an id stays";
  EXPECT_EQ(again->entry, named->entry);
}

TEST(QueueEntry, CarriesWhatAnotherApiKeepsWithTheJob) {
  model::Job job;
  job.tenant_id = "acme";
  job.language = "bash";
  job.code = "echo \xff";  // no UTF-8
  job.stdin_data = std::string("\0\x80", 2);
  job.args = {"a"};
  job.limits.wall_time = std::chrono::milliseconds{1234};
  job.annotation = R"({"language_id": 46})";
  job.stderr_to_stdout = true;
  RequestRules rules;
  rules.defaults.pids = 5;
  const std::string body = queued_body(job, "http://127.0.0.1/x");
  EXPECT_FALSE(parse_job_request(body, rules).has_value()) << "no caller of ours may send what only entries have";
  const std::string entry = queue_entry(body, "id-1", std::chrono::system_clock::now());
  const auto parsed = parse_queue_entry(entry, rules);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->job.code, job.code);
  EXPECT_EQ(parsed->job.stdin_data, job.stdin_data);
  EXPECT_EQ(parsed->job.args, job.args);
  EXPECT_EQ(parsed->job.limits, job.limits) << "whatever this daemon's defaults are";
  EXPECT_EQ(parsed->job.annotation, job.annotation);
  EXPECT_TRUE(parsed->job.stderr_to_stdout);
  EXPECT_EQ(parsed->callback_url, "http://127.0.0.1/x");
  EXPECT_EQ(annotation_of(entry), job.annotation);
  EXPECT_EQ(annotation_of(job_result_json({}, parsed->job, "n")), job.annotation);
  EXPECT_EQ(annotation_of(rejection_json({"a", {}, job.annotation}, {"c", "m", ""})), job.annotation);
  EXPECT_EQ(annotation_of("{"), "");
}

TEST(QueueEntry, MeasuresInputAfterDecodingIt) {
  RequestRules rules;
  rules.max_code = 10;
  rules.max_annotation = 3;
  model::Job job;
  job.tenant_id = "t";
  job.language = "bash";
  job.code = std::string(10, '\xff');
  const auto parse = [&rules](const model::Job& of) {
    return parse_queue_entry(queue_entry(queued_body(of, ""), "a", std::chrono::system_clock::now()), rules);
  };
  EXPECT_TRUE(parse(job).has_value());
  job.code += std::string(3, '\xff');
  EXPECT_FALSE(parse(job).has_value());
  job.code = "x";
  job.annotation = "long";
  EXPECT_EQ(parse(job).error().field, "annotation");
}

TEST(QueueEntry, SaysWhatIsWrongWithIt) {
  for (const char* text : {"not json", "[]", "", "{}", R"({"job_id":"A"})", R"({"job_id":7})", R"({"job_id":"../x"})",
                           R"({"job_id":""})"}) {
    const auto named = name_queue_entry(text, "new");
    ASSERT_FALSE(named.has_value()) << text;
    EXPECT_FALSE(named.error().empty());
  }
  EXPECT_FALSE(parse_queue_entry(with(R"("job_id":"a","submitted_at":"yesterday")"), {}).has_value());
  EXPECT_EQ(parse_queue_entry(with(R"("job_id":"a","pids":3)"), {}).error().field, "pids");
  EXPECT_EQ(parse_queue_entry(with(R"("job_id":"a","stderr_to_stdout":1)"), {}).error().field, "stderr_to_stdout");
}

TEST(JobRequest, KnowsACallback) {
  const auto parsed = parse_job_request(with(R"("callback_url":"https://hooks.example.com/x")"), {});
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->callback_url, "https://hooks.example.com/x");
  EXPECT_EQ(parse_job_request(with(R"("job_id":"mine")"), {}).error().field, "job_id");
  EXPECT_EQ(parse_execute_request(with(R"("callback_url":"https://x/")"), {}).error().field, "callback_url");
}

TEST(QueueEntry, CarriesWhatItsTenantMayHaveAtMost) {
  model::Limits ceilings;
  ceilings.wall_time = std::chrono::milliseconds{2000};
  ceilings.memory_bytes = 1ULL << 40;
  const std::string body = R"({"tenant_id":"t","language":"bash","code":"x"})";
  const auto parsed = parse_queue_entry(queue_entry(body, "a", {}, {ceilings}), {});
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->job.limits.wall_time, ceilings.wall_time) << "the default is lowered";
  EXPECT_EQ(parsed->job.limits.memory_bytes, model::Limits{}.memory_bytes) << "and nothing is raised";
  const auto with = [](const std::string& limits, const std::string& most) {
    const auto entry = R"({"job_id":"a","ceilings":)" + most +
                       R"(,"tenant_id":"t","language":"bash","code":"x","limits":)" + limits + "}";
    const auto read = parse_queue_entry(entry, {});
    return read ? std::string() : read.error().field;
  };
  EXPECT_EQ(with("{}", "{}"), "");
  EXPECT_EQ(with(R"({"pids":9})", R"({"pids":8})"), "limits.pids");
  EXPECT_EQ(with("{}", R"({"pids":"8"})"), "ceilings.pids");
  EXPECT_EQ(with("{}", R"({"pid":8})"), "ceilings.pid");
  EXPECT_EQ(with("{}", "3"), "ceilings");
  EXPECT_EQ(parse_job_request(R"({"tenant_id":"t","language":"bash","code":"x","ceilings":{}})", {}).error().field,
            "ceilings");
}

TEST(QueueEntry, TellsItsTenant) {
  EXPECT_EQ(tenant_of(R"({"job_id":"a","tenant_id":"acme"})"), "acme");
  EXPECT_EQ(tenant_of(rejection_json({"a", "acme"}, {"invalid_request", "x", ""})), "acme");
  for (const char* none : {"", "x", "[]", "{}", R"({"tenant_id":3})"}) EXPECT_EQ(tenant_of(none), "") << none;
}

TEST(JobStatus, ReadsTheAttemptOfAResult) {
  EXPECT_EQ(result_attempt(R"({"job_id":"a","attempt":2})"), 2U);
  EXPECT_EQ(result_attempt(R"({"job_id":"a"})"), std::nullopt);
  EXPECT_EQ(result_attempt(R"({"attempt":"x"})"), std::nullopt);
  EXPECT_EQ(result_attempt("nonsense"), std::nullopt);
}

TEST(JobStatus, ShowsAResultOrAnError) {
  JobStatus status{"a", "finished", 1, false, "w", R"({"job_id":"a","status":"completed"})"};
  EXPECT_EQ(job_status_json(status),
            R"({"job_id":"a","state":"finished","attempt":1,"cancel_requested":false,"worker":"w",)"
            R"("result":{"job_id":"a","status":"completed"},"error":null})");
  status.state = "dead";
  status.result = rejection_json({"a"}, {"invalid_request", "code is required", "code"});
  EXPECT_EQ(job_status_json(status),
            R"({"job_id":"a","state":"dead","attempt":1,"cancel_requested":false,"worker":"w","result":null,)"
            R"("error":{"code":"invalid_request","message":"code is required","field":"code"}})");
  status.result = "nonsense";
  EXPECT_NE(job_status_json(status).find(R"("result":null,"error":null)"), std::string::npos);
}

TEST(QueueEntry, CarriesWhoAskedAndInWhichTrace) {
  const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const std::string body = R"({"tenant_id":"t","language":"bash","code":"x"})";
  const auto parsed = parse_queue_entry(queue_entry(body, "a", {}, {.token_id = "3f6c", .traceparent = trace}), {});
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->job.token_id, "3f6c");
  EXPECT_EQ(parsed->job.traceparent, trace);
  EXPECT_EQ(parse_job_request(R"({"tenant_id":"t","language":"bash","code":"x","traceparent":"a"})", {}).error().field,
            "traceparent")
      << "callers name theirs in the head";
}

TEST(QueueEntry, PassesOverATraceThatIsNone) {
  const std::string entry = R"({"job_id":"a","tenant_id":"t","language":"bash","code":"x","traceparent":"00-zz",)"
                            R"("token_id":"\n forged"})";
  const auto parsed = parse_queue_entry(entry, {});
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->job.traceparent, "");
  EXPECT_EQ(parsed->job.token_id, "");
}

}  // namespace
}  // namespace outrigger::wire
