#include "runtime/stamp.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>

#include "runtime/text_file.h"
#include "sys/small_file.h"

namespace outrigger::runtime {
namespace {

constexpr std::string_view kStep = "read_stamp";

base::Result<Stamp> stamp_from(const boost::json::object& object) {
  Stamp stamp;
  stamp.image = object.at("image").as_string();
  stamp.suite = object.at("suite").as_string();
  stamp.built_at = object.at("built_at").as_string();
  stamp.recipe = boost::json::value_to<int>(object.at("recipe"));
  for (const auto& package : object.at("packages").as_array()) stamp.packages.emplace_back(package.as_string());
  if (!object.at("complete").as_bool()) return base::failure(base::Code::kInvalid, kStep, "the image is not complete");
  return stamp;
}

}  // namespace

std::string stamp_to_json(const Stamp& stamp) {
  const boost::json::object object{{"image", stamp.image},
                                   {"suite", stamp.suite},
                                   {"packages", boost::json::array(stamp.packages.begin(), stamp.packages.end())},
                                   {"recipe", stamp.recipe},
                                   {"built_at", stamp.built_at},
                                   {"complete", true}};
  return boost::json::serialize(object) + "\n";
}

base::Result<Stamp> parse_stamp(std::string_view json) {
  // The library's accessors throw on a missing key or another type; to us that is one failure like any other.
  try {
    return stamp_from(boost::json::parse(boost::json::string_view(json.data(), json.size())).as_object());
  } catch (const std::exception& error) {
    return base::failure(base::Code::kInvalid, kStep, std::string("no stamp of an image: ") + error.what());
  }
}

std::filesystem::path stamp_path(const std::filesystem::path& images_dir, const std::string& image) {
  return images_dir / (image + ".json");
}

base::Result<Stamp> read_stamp(const std::filesystem::path& images_dir, const std::string& image) {
  const auto path = stamp_path(images_dir, image);
  const auto text = read_text_file(path);
  if (!text) return std::unexpected(text.error());
  auto stamp = parse_stamp(*text);
  if (!stamp) return base::failure(stamp.error().code, kStep, path.string() + ": " + stamp.error().context);
  if (stamp->image != image) {
    return base::failure(base::Code::kInvalid, kStep, path.string() + " is the stamp of " + stamp->image);
  }
  return stamp;
}

base::Status write_stamp(const std::filesystem::path& images_dir, const Stamp& stamp) {
  const auto directory = sys::open_at(AT_FDCWD, images_dir.c_str(), O_RDONLY | O_DIRECTORY);
  if (!directory) return std::unexpected(directory.error());
  return sys::replace_file_at(directory->get(), (stamp.image + ".json").c_str(), stamp_to_json(stamp), 0644);
}

base::Status remove_stamp(const std::filesystem::path& images_dir, const std::string& image) {
  const auto path = stamp_path(images_dir, image);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return base::system_error("remove_stamp", path.string());
  return {};
}

bool holds(const Stamp& stamp, const std::vector<std::string>& packages) {
  return stamp.recipe == kRecipe && stamp.suite == kSuite &&
         std::all_of(packages.begin(), packages.end(), [&](const std::string& package) {
           return std::find(stamp.packages.begin(), stamp.packages.end(), package) != stamp.packages.end();
         });
}

}  // namespace outrigger::runtime
