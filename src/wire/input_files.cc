#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <cstdint>
#include <set>

#include "base/base64.h"
#include "wire/json_tree.h"
#include "wire/request_fields.h"
#include "wire/request_sections.h"

namespace outrigger::wire {
namespace {

constexpr std::size_t kMaxPathLength = 1000;  // the jail's own buffer has 1024
constexpr std::size_t kMaxNameLength = 255;   // NAME_MAX

// What is wrong with a path, or nothing.
std::string_view path_fault(std::string_view path) {
  if (path.empty()) return "must not be empty";
  if (path.size() > kMaxPathLength) return "must not be longer than 1000 bytes";
  if (path.front() == '/') return "must be relative to the working directory, not begin with /";
  if (path.find('\0') != std::string_view::npos) return "must not contain a NUL character";
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    if (name.empty()) return "must name a file: no empty part, no / at the end";
    if (name == "." || name == "..") return "must not contain . or .. as a part";
    if (name.size() > kMaxNameLength) return "must not have a part longer than 255 bytes";
    if (slash == std::string_view::npos) return {};
    path.remove_prefix(slash + 1);
  }
}

// What the request's files make below the working directory, to find those that contradict each other.
class FileTree {
 public:
  // What is wrong with adding this file, or nothing.
  std::string_view add(const std::string& path) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      std::string directory = path.substr(0, slash);
      if (files_.contains(directory)) return "lies below a path that is a file of this request";
      directories_.insert(std::move(directory));
    }
    if (directories_.contains(path)) return "is a directory of another file of this request";
    if (!files_.insert(path).second) return "is given twice";
    return {};
  }
  [[nodiscard]] std::size_t entries() const { return files_.size() + directories_.size(); }

 private:
  std::set<std::string> files_;
  std::set<std::string> directories_;
};

enum class Encoding : std::uint8_t { kUtf8, kBase64 };

Encoding read_encoding(const Fields& file, Refusal& refusal) {
  if (file.find("encoding") == nullptr) return Encoding::kUtf8;
  const std::string_view name = file.optional_text("encoding");
  if (name == "base64") return Encoding::kBase64;
  if (name != "utf8") refusal.invalid(file.path("encoding"), R"(must be "utf8" or "base64")");
  return Encoding::kUtf8;
}

// Octal digits, as chmod(1) takes them: JSON has no octal numbers, and 755 as a decimal one would be something else.
std::uint32_t read_mode(const Fields& file, std::uint32_t usual, Refusal& refusal) {
  if (file.find("mode") == nullptr) return usual;
  const std::string_view text = file.optional_text("mode");
  std::uint32_t mode = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  const bool octal = error == std::errc() && end == text.data() + text.size() && text.size() <= 4;
  if (!octal || mode > 0777)
    refusal.invalid(file.path("mode"), R"(must be octal digits such as "0755", at most "0777")");
  return mode;
}

model::InputFile read_file(const Fields& file, Refusal& refusal) {
  file.refuse_unknown(kFileFields);
  model::InputFile out;
  out.path = file.required_text("path");
  const std::string_view content = file.required_text("content");
  if (read_encoding(file, refusal) == Encoding::kUtf8) {
    out.content = content;
  } else if (auto bytes = base::base64_decode(content)) {
    out.content = std::move(*bytes);
  } else {
    refusal.invalid(file.path("content"), "must be base64 (RFC 4648, with padding, without line breaks)");
  }
  out.mode = read_mode(file, out.mode, refusal);
  return out;
}

}  // namespace

void read_files(const Fields& fields, const RequestRules& rules, Refusal& refusal, model::Job& job) {
  const boost::json::array* files = fields.optional_array("files");
  if (files == nullptr) return;
  FileTree tree;
  for (std::size_t i = 0; i < files->size() && !refusal; ++i) {
    const std::string where = fields.path("files") + "[" + std::to_string(i) + "]";
    const boost::json::object* object = (*files)[i].if_object();
    if (object == nullptr) return refusal.invalid(where, "must be an object");
    const Fields file(*object, where, refusal);
    model::InputFile read = read_file(file, refusal);
    if (const std::string_view fault = path_fault(read.path); !fault.empty()) refusal.invalid(file.path("path"), fault);
    if (refusal) return;
    if (const std::string_view fault = tree.add(read.path); !fault.empty()) refusal.invalid(file.path("path"), fault);
    if (tree.entries() > rules.max_file_entries) {
      refusal.refuse(base::Code::kTooLarge, "files",
                     "files makes more than " + std::to_string(rules.max_file_entries) + " files and directories");
    }
    job.files.push_back(std::move(read));
  }
}

}  // namespace outrigger::wire
