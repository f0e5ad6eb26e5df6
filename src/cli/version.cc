#include <cstdio>

#include "cli/print.h"
#include "cli/verbs.h"
#include "cli/version_text.h"
#include "wire/json_writer.h"

namespace outrigger::cli {

int perform(const VersionOptions& options) {
  if (options.json) {
    wire::JsonWriter writer;
    writer.begin_object().key("version").text(kVersion).end_object();
    return print_line(writer.take());
  }
  return print_line(std::string("outrigger ") + kVersion);
}

}  // namespace outrigger::cli
