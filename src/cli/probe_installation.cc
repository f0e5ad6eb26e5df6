#include <unistd.h>

#include <set>
#include <string>

#include "cli/answer.h"
#include "cli/probe.h"
#include "runtime/registry.h"

namespace outrigger::cli {
namespace {

using Answer = base::Result<std::string>;

Finding find_program(const std::string& name) {
  const std::string path = (config::executable_directory() / name).string();
  const bool there = ::access(path.c_str(), X_OK) == 0;
  return {"program." + name, there, there ? path : path + " is missing or not executable",
          there ? "" : "build or install it beside this program (`make build`)"};
}

std::vector<Finding> find_runtimes(const std::vector<model::InstalledRuntime>& runtimes, const config::Paths& paths) {
  std::vector<Finding> findings;
  for (const model::InstalledRuntime& each : runtimes) {
    const std::string name = "runtime." + each.runtime.name;
    if (!each.image_path.empty()) {
      findings.push_back(
          {name, true, each.runtime.packages.front() + " " + each.version + " in " + each.image_path, {}});
    } else if (!each.runtime.on_demand) {
      findings.push_back({name, false, "image " + each.runtime.image + " is not built in " + paths.images_dir.string(),
                          "run `outrigger runtime build " + each.runtime.name + "` as root"});
    }
  }
  return findings;
}

// A blank line is a program in every language that is read by an interpreter; in any other the compiler runs, jailed
// too.
Answer run_one(const config::PathOptions& paths, const std::string& language) {
  RunOptions options;
  options.paths = paths;
  const auto answer = run_local(options, {language, "\n", {}, {}}, model::OutputEncoding::kUtf8, false);
  if (!answer) return base::failure(base::Code::kUnsupported, answer.error().code, answer.error().message);
  const model::Outcome& outcome = answer->outcome;
  if (outcome.status != model::Status::kCompleted && outcome.status != model::Status::kFailed) {
    return base::failure(base::Code::kUnsupported, model::status_name(outcome.status), outcome.cause.text);
  }
  return "a program in " + language + " ran and ended: " + outcome.cause.text;
}

}  // namespace

std::vector<Finding> probe_installation(const config::Config& config, const config::PathOptions& paths) {
  std::vector<Finding> findings{find_program("outrigger-jailer"), find_program("sandbox_init")};
  const auto runtimes = runtime::load_all(config.paths.runtimes_dir, config.paths.images_dir);
  if (!runtimes) {
    findings.push_back(
        {"runtimes", false, runtimes.error().text(), "correct the file, or name another --runtimes-dir"});
    return findings;
  }
  std::set<std::string> libraries;
  for (const model::InstalledRuntime& each : *runtimes) {
    for (const std::string& name : {each.runtime.template_.host, each.runtime.prelude.library}) {
      if (!name.empty()) libraries.insert(name + ".so");
    }
  }
  for (const std::string& library : libraries) findings.push_back(find_program(library));
  const auto found = find_runtimes(*runtimes, config.paths);
  findings.insert(findings.end(), found.begin(), found.end());
  for (const model::InstalledRuntime& each : *runtimes) {
    if (each.image_path.empty()) continue;
    findings.push_back(probe("jail", "the step named here failed; the lines above tell what it needs",
                             [&] { return run_one(paths, each.runtime.name); }));
    break;
  }
  return findings;
}

}  // namespace outrigger::cli
