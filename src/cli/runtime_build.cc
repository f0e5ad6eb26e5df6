#include <expected>
#include <set>

#include "cli/print.h"
#include "cli/verbs.h"
#include "model/runtime_name.h"
#include "runtime/image_builder.h"
#include "runtime/stamp.h"
#include "wire/json_writer.h"

namespace outrigger::cli {
namespace {

using Images = std::set<std::string>;

// The image that a runtime's name, an alias or an image's own name means; empty for none.
std::string image_named(const std::vector<runtime::Definition>& definitions, const std::string& name) {
  for (const auto& [runtime, description] : definitions) {
    if (model::has_name(runtime, name) || runtime.image == name) return runtime.image;
  }
  return {};
}

std::expected<Images, std::string> chosen_images(const std::vector<runtime::Definition>& definitions,
                                                 const std::vector<std::string>& names) {
  Images images;
  for (const std::string& name : names) {
    const std::string image = image_named(definitions, name);
    if (image.empty()) {
      return std::unexpected("no runtime or image is called \"" + name + "\"; `outrigger runtime list` shows them");
    }
    images.insert(image);
  }
  return images;
}

}  // namespace

int perform(const RuntimeBuildOptions& options) {
  const auto paths = config::resolve_paths(options.paths);
  const auto definitions = runtime::load_definitions(paths.runtimes_dir);
  if (!definitions) return fail({"runtime_unavailable", definitions.error().text(), ""}, options.json);
  const auto images = chosen_images(*definitions, options.names);
  if (!images) return fail({"invalid_request", images.error(), "NAME"}, options.json);
  runtime::BuildOptions build;
  build.images_dir = paths.images_dir;
  build.force = options.force;
  build.progress = [](std::string_view line) { complain(line); };
  wire::JsonWriter writer;
  writer.begin_object().key("images").begin_array();
  for (const runtime::ImagePlan& plan : runtime::plan_images(*definitions)) {
    // One that is built on demand is kept up to date once it is there.
    const bool asked_for = images->empty()
                               ? !plan.on_demand || runtime::read_stamp(paths.images_dir, plan.image).has_value()
                               : images->contains(plan.image);
    if (!asked_for) continue;
    const auto built = runtime::build_image(plan, build);
    if (!built) return fail({std::string(base::code_name(built.error().code)), built.error().text(), ""}, options.json);
    const bool fresh = *built == runtime::BuildResult::kBuilt;
    const std::string path = (paths.images_dir / plan.image).string();
    complain("image " + plan.image + (fresh ? " is built: " : " is up to date: ") + path);
    writer.begin_object().key("image").text(plan.image).key("path").text(path);
    writer.key("result").text(fresh ? "built" : "up_to_date").end_object();
  }
  writer.end_array().end_object();
  return options.json ? print_line(writer.take()) : 0;
}

}  // namespace outrigger::cli
