#include "mcp/tools.h"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "wire/json_tree.h"
#include "wire/json_writer.h"

namespace outrigger::mcp {
namespace {

namespace json = boost::json;

// The words are for models: they say what a program may do here, so that one is not written in vain.
constexpr std::string_view kTools = R"json({"tools":[
{"name":"run_code","title":"Run code in a sandbox",
"description":"Runs a program to its end in a fresh sandbox and returns what it wrote and how it ended. Nothing is kept between two calls: no files, variables or processes. There is no network, and nothing can be installed; python has its standard library only, unless list_languages shows more. The working directory is writable, as is /tmp. Print what you want to see. By default a program has 5 seconds, 128 MiB of memory and 32 processes.",
"inputSchema":{"type":"object","additionalProperties":false,"required":["language","code"],"properties":{
"language":{"type":"string","description":"A name or alias that list_languages shows, such as python, node or bash"},
"code":{"type":"string","description":"The whole program"},
"stdin":{"type":"string","description":"What the program reads from its standard input; nothing by default"},
"args":{"type":"array","items":{"type":"string"},"description":"Its command line arguments"},
"files":{"type":"array","description":"Files that lie in its working directory when it starts","items":{"type":"object","additionalProperties":false,"required":["path","content"],"properties":{
"path":{"type":"string","description":"Relative to the working directory, such as data/in.csv"},
"content":{"type":"string"},
"encoding":{"type":"string","enum":["utf8","base64"],"description":"How content is written; utf8 by default"}}}},
"timeout_ms":{"type":"integer","minimum":1,"description":"How long it may take, in milliseconds; 5000 by default, which is also the most unless the operator allows more"}}},
"outputSchema":{"type":"object","required":["job_id","language","status","exit_code","signal","cause","stdout","stderr","stdout_truncated","stderr_truncated","wall_time_ms","peak_memory_bytes"],"properties":{
"job_id":{"type":"string"},"language":{"type":"string"},
"status":{"type":"string","description":"completed, failed, timeout, cpu_exceeded, memory_exceeded, security_violation, signaled, cancelled or internal_error"},
"exit_code":{"type":["integer","null"]},"signal":{"type":["string","null"]},
"cause":{"type":"object","required":["code","text"],"properties":{"code":{"type":"string"},"text":{"type":"string"}}},
"stdout":{"type":"string"},"stderr":{"type":"string"},
"stdout_truncated":{"type":"boolean"},"stderr_truncated":{"type":"boolean"},
"wall_time_ms":{"type":"number"},"peak_memory_bytes":{"type":["integer","null"]}}},
"annotations":{"title":"Run code in a sandbox","readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}},
{"name":"list_languages","title":"List languages",
"description":"Lists the languages that run_code takes, with their versions and other names.",
"inputSchema":{"type":"object","additionalProperties":false,"properties":{}},
"outputSchema":{"type":"object","required":["languages"],"properties":{"languages":{"type":"array","items":{"type":"object","required":["name","version","available","aliases"],"properties":{
"name":{"type":"string"},"version":{"type":["string","null"]},"available":{"type":"boolean"},"aliases":{"type":"array","items":{"type":"string"}}}}}}},
"annotations":{"title":"List languages","readOnlyHint":true,"openWorldHint":false}},
{"name":"get_run","title":"Look up a run",
"description":"Says how an earlier run ended and what it used, by the job_id that run_code gave. What it wrote is not kept.",
"inputSchema":{"type":"object","additionalProperties":false,"required":["job_id"],"properties":{"job_id":{"type":"string"}}},
"outputSchema":{"type":"object","required":["job_id","language","status"],"properties":{"job_id":{"type":"string"},"language":{"type":"string"},"status":{"type":"string"}}},
"annotations":{"title":"Look up a run","readOnlyHint":true,"openWorldHint":false}}
]})json";

// In the document each tool stands on lines of its own; on stdio a message is one line.
std::string on_one_line(std::string_view text) {
  std::string out(text);
  std::erase(out, '\n');
  return out;
}

void copy(wire::JsonWriter& writer, std::string_view name, const json::value* value) {
  if (value != nullptr && !value->is_null()) writer.key(name).json(json::serialize(*value));
}

}  // namespace

std::string_view tool_list() {
  static const std::string list = on_one_line(kTools);
  return list;
}

std::string unknown_argument(const json::object& arguments, std::initializer_list<std::string_view> known) {
  for (const auto& member : arguments) {
    const std::string_view name(member.key());
    if (std::ranges::find(known, name) == known.end()) {
      return "\"" + wire::shortened(name) + "\" is no argument of this tool";
    }
  }
  return {};
}

std::expected<std::string, std::string> execute_body(const json::object& arguments, std::string_view tenant) {
  std::string unknown = unknown_argument(arguments, {"language", "code", "stdin", "args", "files", "timeout_ms"});
  if (!unknown.empty()) return std::unexpected(std::move(unknown));
  wire::JsonWriter writer;
  writer.begin_object().key("tenant_id").text(tenant);
  for (const std::string_view name : {"language", "code", "stdin", "args", "files"}) {
    copy(writer, name, arguments.if_contains(name));
  }
  if (const json::value* timeout = arguments.if_contains("timeout_ms"); timeout != nullptr && !timeout->is_null()) {
    writer.key("limits").begin_object().key("wall_time_ms").json(json::serialize(*timeout)).end_object();
  }
  return writer.end_object().take();
}

std::string in_arguments_terms(std::string message) {
  static constexpr std::string_view kTheirs = "limits.wall_time_ms";
  if (const std::size_t at = message.find(kTheirs); at != std::string::npos) {
    message.replace(at, kTheirs.size(), "timeout_ms");
  }
  return message;
}

std::expected<std::string, std::string> job_id_of(const json::object& arguments) {
  std::string unknown = unknown_argument(arguments, {"job_id"});
  if (!unknown.empty()) return std::unexpected(std::move(unknown));
  const json::value* id = arguments.if_contains("job_id");
  if (id == nullptr || !id->is_string()) return std::unexpected(std::string("job_id is required, as a string"));
  return std::string(id->get_string());
}

}  // namespace outrigger::mcp
