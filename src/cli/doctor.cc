#include <unistd.h>

#include <algorithm>

#include "cli/print.h"
#include "cli/probe.h"
#include "cli/verbs.h"
#include "config/load.h"
#include "wire/json_writer.h"

namespace outrigger::cli {
namespace {

std::string as_json(const std::vector<Finding>& findings, bool ok) {
  wire::JsonWriter writer;
  writer.begin_object().key("ok").boolean(ok).key("probes").begin_array();
  for (const Finding& finding : findings) {
    writer.begin_object().key("name").text(finding.name).key("ok").boolean(finding.ok);
    writer.key("detail").text(finding.detail).key("remedy").text_or_null(finding.remedy).end_object();
  }
  writer.end_array().end_object();
  return writer.take();
}

std::string as_line(const Finding& finding) {
  std::string line = (finding.ok ? "ok   " : "FAIL ") + finding.name + " — " + finding.detail;
  if (!finding.ok) line += ". Remedy: " + finding.remedy;
  // An error may carry another program's lines.
  std::ranges::replace(line, '\n', ' ');
  return line;
}

// The configuration, or the defaults where it can't be read: the machine can be examined all the same.
config::Config configuration(const DoctorOptions& options, std::vector<Finding>& findings) {
  config::LoadOptions load_options;
  load_options.paths = options.paths;
  auto loaded = config::load(load_options);
  config::Config config;
  if (loaded) {
    config = std::move(*loaded);
    findings.push_back(
        {"configuration", true, config.paths.config_file.string() + " or the defaults where it is missing", {}});
  } else {
    config.paths = config::resolve_paths(options.paths);
    findings.push_back(
        {"configuration", false, loaded.error().text(), "correct the file; the defaults are examined below"});
  }
  return config;
}

}  // namespace

int perform(const DoctorOptions& options) {
  std::vector<Finding> all;
  const config::Config config = configuration(options, all);
  const auto add = [&](const std::vector<Finding>& findings) {
    all.insert(all.end(), findings.begin(), findings.end());
  };
  add(probe_rights());
  add(probe_namespaces(config.jail));
  add(probe_mounts(config.jail));
  add(probe_kernel_calls());
  add(probe_cgroups(config.jail));
  add(probe_installation(config, options.paths));
  const bool ok = std::ranges::all_of(all, &Finding::ok);
  std::string report;
  if (options.json) {
    report = as_json(all, ok) + "\n";
  } else {
    for (const Finding& finding : all) report += as_line(finding) + "\n";
  }
  const bool written = write_all(STDOUT_FILENO, report);
  return written && ok ? 0 : 1;
}

}  // namespace outrigger::cli
