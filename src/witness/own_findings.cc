#include "witness/own_findings.h"

namespace outrigger::witness {

using rules::Finding;
using rules::Severity;

std::vector<Finding> findings_of(const std::string& ledger, const ledger::Opening& opening) {
  std::vector<Finding> found;
  if (opening.cut_bytes > 0) {
    found.push_back(
        {"ledger_repaired",
         Severity::kWarning,
         "an unfinished line at the end of " + opening.cut_file + " was cut off (" + std::to_string(opening.cut_bytes) +
             " bytes): its writer died, and it was never acknowledged",
         {{"ledger", ledger}, {"file", opening.cut_file}, {"bytes", opening.cut_bytes}, {"text", opening.cut_text}}});
  }
  if (opening.broken) {
    found.push_back(
        {"ledger_broken", Severity::kCritical, "the " + ledger + " ledger: " + *opening.broken, {{"ledger", ledger}}});
  }
  return found;
}

Finding summary_missing(const rules::Subject& subject) {
  return {"summary_missing",
          Severity::kCritical,
          "the job's card is gone, and no termination summary of it has come within a minute: its end is not in the "
          "execution ledger",
          {{"language", subject.language}}};
}

Finding namespaces_hidden() {
  return {
      "namespaces_hidden",
      Severity::kWarning,
      "the pid namespaces of jobs' processes can't be read, so a process outside its jail would not be noticed: the "
      "auditor needs CAP_SYS_PTRACE, and a /proc that hides nothing",
      {}};
}

}  // namespace outrigger::witness
