#pragma once

#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace outrigger::cli {

// What the verbs for queued jobs and for runs are told, beside `submit`, which is told what `run` is.
struct QueueVerbs {
  StatusOptions status;
  CancelOptions cancel;
  RunsOptions runs;
};

// Adds status, cancel and runs; `told` outlives the parsing.
void add_queue_verbs(CLI::App& app, QueueVerbs& told);

// The option --server.
void add_server(CLI::App& verb, Remote& remote);

}  // namespace outrigger::cli
