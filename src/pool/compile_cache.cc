#include "pool/compile_cache.h"

#include "digest/digest.h"

namespace outrigger::pool {
namespace {

// What an entry holds beside its bytes, so that many small ones are bounded too.
constexpr std::uint64_t kEntryOverhead = 512;

// Each part with its length before it: no two lists of parts make the same text.
class Parts {
 public:
  void add(std::string_view part) {
    text_ += std::to_string(part.size());
    text_ += ':';
    text_ += part;
  }
  void add(const std::vector<std::string>& parts) {
    add(std::to_string(parts.size()));
    for (const std::string& part : parts) add(part);
  }
  void add(const std::vector<std::pair<std::string, std::string>>& variables) {
    add(std::to_string(variables.size()));
    for (const auto& [name, value] : variables) {
      add(name);
      add(value);
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::uint64_t size_of(const Compiled& compiled) {
  std::uint64_t bytes =
      kEntryOverhead + compiled.report.stdout_stream.data.size() + compiled.report.stderr_stream.data.size();
  for (const model::InputFile& file : compiled.artifacts) {
    bytes += kEntryOverhead + file.path.size() + file.content.size();
  }
  return bytes;
}

}  // namespace

std::string compile_key(const model::Job& job, const model::InstalledRuntime& installed) {
  const model::CompileStep& step = installed.runtime.compile;
  Parts parts;
  parts.add(job.tenant_id);
  parts.add(installed.runtime.name);
  parts.add(installed.image_stamp);
  parts.add(installed.runtime.source_file);
  parts.add(step.command);
  parts.add(step.artifacts);
  parts.add(installed.runtime.env);
  parts.add(step.env);
  parts.add(job.code);
  for (const model::InputFile& file : job.files) {
    parts.add(file.path);
    parts.add(std::to_string(file.mode));
    parts.add(file.content);
  }
  return digest::sha256_hex(parts.text());
}

std::shared_ptr<const Compiled> CompileCache::find(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->compiled;
}

void CompileCache::add(const std::string& key, std::shared_ptr<const Compiled> compiled) {
  const std::uint64_t bytes = size_of(*compiled);
  if (bytes > max_bytes_ || by_key_.contains(key)) return;
  while (bytes_ + bytes > max_bytes_) forget_oldest();
  entries_.push_front({key, std::move(compiled), bytes});
  by_key_[key] = entries_.begin();
  bytes_ += bytes;
}

void CompileCache::forget_oldest() {
  const Entry& oldest = entries_.back();
  bytes_ -= oldest.bytes;
  by_key_.erase(oldest.key);
  entries_.pop_back();
}

}  // namespace outrigger::pool
