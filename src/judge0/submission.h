#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <expected>
#include <span>
#include <string>

#include "judge0/errors.h"
#include "model/job.h"
#include "model/runtime.h"
#include "wire/execute_request.h"

namespace outrigger::judge0 {

// A new submission: the job that runs it, with what Judge0 keeps of it as the job's annotation.
struct Submission {
  model::Job job;
  std::string callback_url;  // empty: none; whether it may be called is not known here
};

// Whom it is for, and how it was sent.
struct Arrival {
  std::string tenant_id;
  bool base64_encoded = false;  // the query's
  std::chrono::system_clock::time_point at;
};

// The attributes of POST /submissions (judge0/judge0, docs/api/submissions and app/models/submission.rb): all that is
// wrong with them at once, in Judge0's words. Members that it does not know are passed over, as Judge0 does.
std::expected<Submission, Errors> read_submission(const boost::json::object& attributes, const Arrival& arrival,
                                                  std::span<const model::InstalledRuntime> runtimes,
                                                  const wire::RequestRules& rules);

}  // namespace outrigger::judge0
