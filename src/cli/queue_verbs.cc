#include "cli/queue_verbs.h"

#include "cli/help_text.h"

namespace outrigger::cli {
namespace {

void add_filter(CLI::App& verb, RunsOptions& runs, const char* flag, const char* parameter, const char* type,
                const char* text) {
  const auto store = [&runs, parameter](const std::string& value) { runs.filters.emplace_back(parameter, value); };
  verb.add_option_function<std::string>(flag, store, text)->type_name(type);
}

void add_runs(CLI::App& verb, RunsOptions& runs) {
  verb.add_option("JOB", runs.job_id, "One run; default: a list");
  add_filter(verb, runs, "--tenant", "tenant_id", "NAME", "Of this tenant");
  add_filter(verb, runs, "--language", "language", "LANG", "In this language");
  add_filter(verb, runs, "--status", "status", "STATUS", "That ended so: completed, timeout, memory_exceeded, ...");
  add_filter(verb, runs, "--since", "since", "TIME", "Started at or after: 2025-01-31T09:30:00Z");
  add_filter(verb, runs, "--until", "until", "TIME", "Started before");
  add_filter(verb, runs, "--limit", "limit", "NUMBER", "At most so many; default 100");
  add_filter(verb, runs, "--before", "before", "PLACE", "The next page, as the one before named it");
}

}  // namespace

void add_server(CLI::App& verb, Remote& remote) {
  verb.add_option("--server", remote.server, "The daemon; default http://127.0.0.1:8080")->type_name("URL");
}

void add_queue_verbs(CLI::App& app, QueueVerbs& told) {
  CLI::App& status = *app.add_subcommand("status", kStatusAbout)->footer(kStatusFooter);
  status.add_option("JOB", told.status.job_id, "As `outrigger submit` printed it")->required();
  status.add_flag("--wait", told.status.wait, "Wait until it has ended");
  status.add_flag("--json", told.status.json, "Print one JSON document");
  add_server(status, told.status.remote);
  CLI::App& cancel = *app.add_subcommand("cancel", kCancelAbout)->footer(kCancelFooter);
  cancel.add_option("JOB", told.cancel.job_id, "Of a queued or running job")->required();
  cancel.add_flag("--json", told.cancel.json, "Print one JSON document");
  add_server(cancel, told.cancel.remote);
  CLI::App& runs = *app.add_subcommand("runs", kRunsAbout)->footer(kRunsFooter);
  add_runs(runs, told.runs);
  runs.add_flag("--json", told.runs.json, "Print one JSON document");
  add_server(runs, told.runs.remote);
}

}  // namespace outrigger::cli
