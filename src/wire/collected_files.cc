#include "wire/collected_files.h"

#include <algorithm>
#include <boost/json/value.hpp>
#include <charconv>

#include "base/base64.h"
#include "base/format.h"
#include "base/utf8.h"
#include "wire/outcome_parts.h"
#include "wire/outcome_reader.h"

namespace outrigger::wire {
namespace {

// A control character takes six bytes of JSON, and a file that has such is hardly one to be read.
bool is_text(const std::string& content) {
  const auto is_control = [](char byte) {
    return static_cast<unsigned char>(byte) < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
  };
  return std::ranges::none_of(content, is_control) && base::is_utf8(content);
}

void write_file(JsonWriter& writer, const model::CollectedFile& file, model::OutputEncoding encoding) {
  writer.begin_object();
  writer.key("path").text(file.path);
  writer.key("bytes").number_or_null(file.bytes);
  if (file.error) {
    writer.key("error").begin_object().key("code").text(file.error->code);
    writer.key("message").text(file.error->text).end_object();
  } else {
    const bool text = encoding == model::OutputEncoding::kUtf8 && is_text(file.content);
    writer.key("mode").text(mode_text(file.mode));
    writer.key("encoding").text(text ? "utf8" : "base64");
    writer.key("content").text(text ? file.content : base::base64_encode(file.content));
  }
  writer.end_object();
}

std::uint32_t parse_mode(std::string_view text) {
  std::uint32_t mode = 0;
  std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  return mode & 0777U;
}

void read_content(const Fields& fields, Refusal& refusal, model::CollectedFile& file) {
  file.mode = parse_mode(fields.required_text("mode"));
  const std::string_view content = fields.required_text("content");
  if (fields.required_text("encoding") != "base64") {
    file.content = content;
    return;
  }
  auto bytes = base::base64_decode(content);
  if (!bytes) refusal.invalid(fields.path("content"), "must be base64");
  file.content = std::move(bytes).value_or("");
}

model::CollectedFile read_file(const Fields& fields, Refusal& refusal) {
  model::CollectedFile file;
  file.path = fields.required_text("path");
  file.bytes = OutcomeReader(fields, refusal).count("bytes");
  if (const boost::json::object* error = fields.optional_object("error")) {
    const Fields of_error(*error, fields.path("error"), refusal);
    file.error =
        model::Cause{std::string(of_error.required_text("code")), std::string(of_error.required_text("message"))};
  } else {
    read_content(fields, refusal, file);
  }
  return file;
}

}  // namespace

std::string mode_text(std::uint32_t mode) { return base::formatted("%04o", mode); }

void write_collected_files(JsonWriter& writer, const std::vector<model::CollectedFile>& files,
                           model::OutputEncoding encoding) {
  writer.begin_array();
  for (const model::CollectedFile& file : files) write_file(writer, file, encoding);
  writer.end_array();
}

std::vector<model::CollectedFile> read_collected_files(const boost::json::array& array, Refusal& refusal) {
  std::vector<model::CollectedFile> files;
  for (std::size_t i = 0; i < array.size() && !refusal; ++i) {
    const std::string where = "files[" + std::to_string(i) + "]";
    const boost::json::object* object = array[i].if_object();
    if (object == nullptr) {
      refusal.invalid(where, "must be an object");
      break;
    }
    files.push_back(read_file(Fields(*object, where, refusal), refusal));
  }
  return files;
}

}  // namespace outrigger::wire
