// The document against the code, both ways: what one has the other has too.
#include "api/openapi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <set>

#include "api/error_response.h"
#include "api/routes.h"
#include "api/service_json.h"
#include "api/test_service.h"
#include "model/limit_fields.h"
#include "wire/dispatch_json.h"
#include "wire/error_json.h"
#include "wire/execute_request.h"
#include "wire/job_status.h"
#include "wire/outcome_json.h"
#include "wire/request_fields.h"
#include "wire/run_record.h"

namespace outrigger::api {
namespace {

namespace json = boost::json;
using Names = std::set<std::string>;

const json::value& document() {
  static const json::value value = json::parse(openapi_document());
  return value;
}

const json::object& schema(const std::string& name) {
  return document().at("components").at("schemas").at(name).as_object();
}

Names properties(const std::string& name) {
  Names out;
  for (const auto& member : schema(name).at("properties").as_object()) out.insert(std::string(member.key()));
  return out;
}

template <typename Range>
Names names_of(const Range& range) {
  return Names(range.begin(), range.end());
}

Names limit_names() {
  Names out;
  for (const model::LimitField& field : model::kLimitFields) out.insert(std::string(field.name));
  return out;
}

// Each member that is written must be described, down to the last object; `described` collects what was.
void expect_described(const json::value& value, const json::object& its_schema, const std::string& where,
                      Names& described) {
  if (its_schema.contains("$ref")) {
    const std::string reference(its_schema.at("$ref").as_string());
    const std::string name = reference.substr(reference.rfind('/') + 1);
    if (value.is_object()) {
      for (const auto& member : value.as_object()) described.insert(name + "." + std::string(member.key()));
    }
    return expect_described(value, schema(name), where, described);
  }
  if (its_schema.contains("oneOf") && !value.is_null()) {  // something, or null
    return expect_described(value, its_schema.at("oneOf").as_array().front().as_object(), where, described);
  }
  if (value.is_array()) {
    for (const json::value& element : value.as_array()) {
      expect_described(element, its_schema.at("items").as_object(), where + "[]", described);
    }
  } else if (value.is_object()) {
    if (its_schema.contains("required")) {
      for (const json::value& name : its_schema.at("required").as_array()) {
        EXPECT_TRUE(value.as_object().contains(name.as_string())) << where << " must have " << name;
      }
    }
    for (const auto& member : value.as_object()) {
      const auto* property = its_schema.at("properties").as_object().if_contains(member.key());
      ASSERT_NE(property, nullptr) << where << "." << member.key() << " is written but not described";
      expect_described(member.value(), property->as_object(), where + "." + std::string(member.key()), described);
    }
  }
}

void expect_same(const std::string& written, const std::string& root, const std::vector<std::string>& schemas) {
  Names described;
  json::object reference{{"$ref", "#/components/schemas/" + root}};
  expect_described(json::parse(written), reference, root, described);
  for (const std::string& name : schemas) {
    for (const std::string& property : properties(name)) {
      EXPECT_TRUE(described.contains(name + "." + property))
          << name + "." + property << " is described but not written";
    }
  }
}

TEST(OpenApi, DescribesEveryFieldOfARequest) {
  EXPECT_EQ(properties("ExecuteRequest"), names_of(wire::kExecuteFields));
  Names job = names_of(wire::kExecuteFields);
  job.insert(wire::kJobFields.begin(), wire::kJobFields.end());
  EXPECT_EQ(properties("JobRequest"), job);
  EXPECT_EQ(properties("InputFile"), names_of(wire::kFileFields));
  EXPECT_EQ(properties("Dispatch"), names_of(wire::kDispatchFields));
  EXPECT_EQ(properties("BatchRequest"), names_of(wire::kBatchFields));
  EXPECT_EQ(schema("BatchRequest").at("properties").at("jobs").at("maxItems").to_number<std::size_t>(),
            wire::kMaxBatch);
  EXPECT_EQ(properties("RequestLimits"), limit_names());
}

TEST(OpenApi, GivesTheLimitsTheirMinimum) {
  for (const model::LimitField& field : model::kLimitFields) {
    const json::value& described = schema("RequestLimits").at("properties").at(std::string(field.name));
    EXPECT_EQ(described.at("minimum").to_number<double>(), field.minimum) << field.name;
  }
}

TEST(OpenApi, DescribesEveryFieldOfAnOutcome) {
  model::Outcome outcome;
  outcome.security_events.push_back({"seccomp_violation", "d", 1, "socket", {"0x1"}});
  outcome.files = {{"a", "text", 0644, 4, std::nullopt}, {"b", {}, 0, std::nullopt, model::Cause{"symlink", "why"}}};
  outcome.compile.emplace();
  expect_same(wire::outcome_to_json(outcome, model::OutputEncoding::kUtf8), "Outcome",
              {"Outcome", "Cause", "SecurityEvent", "Limits", "CollectedFile", "CollectError", "CompileReport"});
}

TEST(OpenApi, DescribesEveryFieldOfARun) {
  model::RunRecord run;
  run.outcome.security_events.push_back({"seccomp_violation", "d", 1, "socket", {"0x1"}});
  expect_same(wire::run_record_json(run), "Run", {"Run", "Cause", "SecurityEvent", "Limits"});
}

TEST(OpenApi, DescribesEveryFieldOfAQueuedJob) {
  expect_same(wire::job_result_json({}, {}, "n"), "JobResult", {"JobResult"});
  const json::value status = json::parse(wire::job_status_json({"a", "queued", 0, false, "", ""}));
  Names written;
  for (const auto& member : status.as_object()) written.insert(std::string(member.key()));
  EXPECT_EQ(written, properties("JobStatus"));
}

TEST(OpenApi, KnowsEveryStatus) {
  Names known;
  for (const json::value& each : schema("Status").at("enum").as_array()) {
    known.insert(std::string(each.as_string()));
  }
  Names real;
  for (int i = 0; i <= static_cast<int>(model::Status::kInternalError); ++i) {
    real.insert(std::string(model::status_name(static_cast<model::Status>(i))));
  }
  EXPECT_EQ(known, real);
}

TEST(OpenApi, DescribesEveryFieldOfTheOtherAnswers) {
  TestService service;
  expect_same(health_to_json(assess(Services{service}, false), Services{service}, "v"), "Health",
              {"Health", "HealthCgroup", "HealthRuntime", "HealthPool", "Dispatch"});
  expect_same(languages_to_json(service, {}), "Languages", {"Languages", "Language", "Limits"});
  expect_same(wire::dispatch_to_json({true, "r"}), "Dispatch", {"Dispatch"});
  expect_same(wire::error_to_json({"c", "m", "f"}), "Error", {"Error", "ErrorBody"});
}

TEST(OpenApi, KnowsEveryErrorCode) {
  Names known;
  for (const json::value& each : schema("ErrorBody").at("properties").at("code").at("enum").as_array()) {
    known.insert(std::string(each.as_string()));
  }
  Names real;
  for (std::size_t i = 0; !problem_codes(i).empty(); ++i) real.insert(std::string(problem_codes(i)));
  EXPECT_EQ(known, real);
}

TEST(OpenApi, HasEveryRouteAndNoOther) {
  Names described;
  for (const auto& path : document().at("paths").as_object()) {
    for (const auto& method : path.value().as_object()) {
      std::string name(method.key());
      std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
      described.insert(name + " " + std::string(path.key()));
      const auto* security = method.value().as_object().if_contains("security");
      EXPECT_EQ(security != nullptr, is_open({path.key().data(), path.key().size()})) << path.key();
    }
  }
  Names real;
  for (const Route& route : kRoutes) real.insert(std::string(route.method) + " " + std::string(route.path));
  EXPECT_EQ(described, real);
}

}  // namespace
}  // namespace outrigger::api
