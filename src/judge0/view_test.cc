#include "judge0/view.h"

#include <gtest/gtest.h>

#include "judge0/state.h"
#include "wire/outcome_json.h"

namespace outrigger::judge0 {
namespace {

Kept kept() {
  Kept out;
  out.created_at = std::chrono::system_clock::time_point{std::chrono::seconds{1738315800}};
  out.language_id = 71;
  out.language_name = "Python (3.11.2)";
  out.source_code = "print(1)";
  out.settings = {{"number_of_runs", "1"}, {"cpu_time_limit", "5.0"}};
  return out;
}

std::string shown(const Verdict& verdict, const std::string& fields, bool base64_encoded = false) {
  const auto view = read_view(fields, base64_encoded);
  if (!view) return view.error();
  const auto text = submission_json("t", kept(), verdict, *view);
  return text ? *text : text.error();
}

TEST(Judge0View, ShowsEightAttributesByDefault) {
  Verdict verdict;
  verdict.status = kAccepted;
  verdict.stdout_data = "hello\n";
  verdict.time = "0.001";
  verdict.memory = 376;
  EXPECT_EQ(shown(verdict, ""),
            R"({"stdout":"hello\n","time":"0.001","memory":376,"stderr":null,"token":"t","compile_output":null,)"
            R"("message":null,"status":{"id":3,"description":"Accepted"}})");
}

TEST(Judge0View, ShowsWhatIsAskedFor) {
  EXPECT_EQ(shown({}, "token,status_id,language_id"), R"({"language_id":71,"status_id":1,"token":"t"})");
  EXPECT_EQ(shown({}, "language,cpu_time_limit,number_of_runs,created_at,enable_network,stdin"),
            R"j({"stdin":null,"created_at":"2025-01-31T09:30:00.000Z","number_of_runs":1,"cpu_time_limit":"5.0",)j"
            R"j("enable_network":false,"language":{"id":71,"name":"Python (3.11.2)"}})j");
  const std::string all = shown({}, "*");
  for (const char* name : {"source_code", "queue_host", "wall_time", "exit_signal", "finished_at"}) {
    EXPECT_NE(all.find("\"" + std::string(name) + "\":"), std::string::npos) << name;
  }
  EXPECT_EQ(shown({}, "token,verdict,x"), "invalid fields: [verdict, x]");
}

TEST(Judge0View, TextsAreBase64WithLineBreaksAsRubyWritesThem) {
  Verdict verdict;
  verdict.stdout_data = "hello, Judge0\n";
  verdict.stderr_data = std::string(46, '\xff');
  EXPECT_EQ(shown(verdict, "stdout", true), R"({"stdout":"aGVsbG8sIEp1ZGdlMAo=\n"})");
  EXPECT_EQ(shown(verdict, "stderr", true), R"({"stderr":")" + std::string(60, '/') + R"(\n/w==\n"})");
  EXPECT_EQ(
      shown(verdict, "stderr"),
      "some attributes for this submission cannot be converted to UTF-8, use base64_encoded=true query parameter");
}

TEST(Judge0View, TokensAreJobIdsAsUuids) {
  EXPECT_EQ(token_of("01a22ad764cc6f1d0b2ab0dad8a1a78e"), "01a22ad7-64cc-6f1d-0b2a-b0dad8a1a78e");
  EXPECT_EQ(job_id_of("01a22ad7-64cc-6f1d-0b2a-b0dad8a1a78e"), "01a22ad764cc6f1d0b2ab0dad8a1a78e");
  EXPECT_EQ(job_id_of(token_of("order-17")), "order-17");
  EXPECT_EQ(job_id_of("../../../../../../../../../etc/passwd"), "../../../../../../../../../etc/passwd");
}

TEST(Judge0View, ACallbackGetsTheDefaultsAsBase64) {
  model::Job job;
  job.output_encoding = model::OutputEncoding::kBase64;
  job.annotation = kept_json(kept());
  model::Outcome outcome;
  outcome.status = model::Status::kCompleted;
  outcome.stdout_stream.data = "1\n";
  EXPECT_EQ(callback_body("a", wire::job_result_json(outcome, job, "n")),
            R"({"stdout":"MQo=\n","time":null,"memory":null,"stderr":null,"token":"a","compile_output":null,)"
            R"("message":null,"status":{"id":3,"description":"Accepted"}})");
}

}  // namespace
}  // namespace outrigger::judge0
