#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "model/limits.h"
#include "wire/request_error.h"

namespace outrigger::wire {

// What a request may ask for. Sizes are in bytes, counted after JSON's (and base64's) decoding.
struct RequestRules {
  model::Limits defaults;
  model::Limits ceilings;
  std::size_t max_code = 1U << 20;
  std::size_t max_stdin = 4U << 20;
  // One string of argv or environment, its terminating zero included: MAX_ARG_STRLEN of execve(2), 32 pages.
  std::size_t max_exec_string = 32U * 4096;
  // All strings of args and env together, their zeroes and pointers included; Linux allows a quarter of the stack
  // limit.
  std::size_t max_exec_total = 1U << 20;
  // How many they may be together: the jail's own table of strings has 4096 places, some for the runtime's own.
  std::size_t max_exec_strings = 4000;
  // Of an entry of the queue.
  std::size_t max_annotation = 4U << 20;
  // Files and directories that `files` makes; the jail's tmpfs has an inode cap.
  std::size_t max_file_entries = 2048;
  std::size_t max_collect = 32;  // patterns; how long one may be is base::Glob's rule
};

// The body of POST /api/v1/execute as a job, everything checked and defaults filled in. `language` is the text the
// caller sent: whether there is such a runtime is not known here.
std::expected<model::Job, RequestError> parse_execute_request(std::string_view body, const RequestRules& rules);

// A job made of another API's request, held against the same rules: the same job, or what is wrong with it in our own
// terms. Its limits, which its maker has read and checked, are taken as they are. Text in it must be UTF-8.
std::expected<model::Job, RequestError> checked(model::Job job, const RequestRules& rules);

// The body of POST /api/v1/batch: 1 to 64 such requests. What is wrong with one is that one's own error, its field
// named as if it stood alone.
inline constexpr std::size_t kMaxBatch = 64;
using BatchRequest = std::vector<std::expected<model::Job, RequestError>>;
// Each by the rules of the tenant that it names.
using RulesOf = std::function<RequestRules(std::string_view tenant)>;
std::expected<BatchRequest, RequestError> parse_batch_request(std::string_view body, const RulesOf& rules_of);

// A job that nobody waits for.
struct QueuedRequest {
  model::Job job;
  std::string callback_url;  // empty: none; whether it may be called is not known here
};

// The body of POST /api/v1/jobs.
std::expected<QueuedRequest, RequestError> parse_job_request(std::string_view body, const RequestRules& rules);

// The body for a job that another API has asked for, with all that only entries have: the limits one by one, so that no
// other defaults hold, job.annotation, and code and stdin in a form that carries any bytes.
std::string queued_body(const model::Job& job, std::string_view callback_url);

// An entry of the queue: such a body with job_id and, where its producer says so, submitted_at, annotation,
// input_encoding ("base64": code and stdin are written so), stderr_to_stdout (of model::Job) and ceilings: limits that
// the job may have at most, also of those that it leaves out.
std::expected<QueuedRequest, RequestError> parse_queue_entry(std::string_view entry, const RequestRules& rules);

// What an entry says of itself before it is looked into: its id, `new_id` where its producer gave it none. The error is
// a sentence.
struct NamedEntry {
  std::string job_id;
  std::string entry;  // with the id
};
std::expected<NamedEntry, std::string> name_queue_entry(std::string_view entry, std::string_view new_id);

// What whoever accepts a job knows of it, and its worker needs, beyond what was asked for.
struct EntryNotes {
  std::optional<model::Limits> ceilings = {};  // what the tenant's jobs may have at most; absent: what all may
  std::string token_id = {};                   // of model::Job
  std::string traceparent = {};
};

// The entry for a body that parse_job_request() took.
std::string queue_entry(std::string_view body, std::string_view job_id,
                        std::chrono::system_clock::time_point submitted_at, const EntryNotes& notes = {});

// The tenant that an entry or a result names; empty where it names none.
std::string tenant_of(std::string_view json);

// The request that parses back into `job`: what a client sends. Of the limits only those that differ from
// model::Limits' defaults are written, so that the daemon's own defaults hold otherwise. A file that is not UTF-8 goes
// as base64. code, stdin, args and env have no such form: the caller checks them with base::is_utf8 first, else they
// arrive changed.
std::string to_json(const model::Job& job);

}  // namespace outrigger::wire
