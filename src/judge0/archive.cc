#include "judge0/archive.h"

#include <sys/stat.h>
#include <zip.h>

#include <memory>

namespace outrigger::judge0 {
namespace {

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;

// `bytes` outlives it.
Archive open(std::string_view bytes) {
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr);
  if (source == nullptr) return nullptr;
  zip_t* archive = zip_open_from_source(source, ZIP_RDONLY, nullptr);
  if (archive == nullptr) zip_source_free(source);  // else it is the archive's
  return Archive(archive);
}

// The mode that a unix machine packed the file with; 0 where another did.
unsigned mode_of(zip_t* archive, zip_uint64_t index) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(archive, index, 0, &system, &attributes) != 0) return 0;
  return system == ZIP_OPSYS_UNIX ? attributes >> 16U : 0;
}

std::expected<std::string, std::string> read(zip_t* archive, zip_uint64_t index, const zip_stat_t& stat) {
  const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen_index(archive, index, 0));
  std::string content(stat.size, '\0');
  const bool whole = file && zip_fread(file.get(), content.data(), stat.size) == static_cast<zip_int64_t>(stat.size);
  // Its checksum is looked at when the end is read.
  char more = 0;
  if (!whole || zip_fread(file.get(), &more, 1) != 0) {
    return std::unexpected("holds a damaged file: " + std::string(stat.name));
  }
  return content;
}

}  // namespace

std::expected<std::vector<model::InputFile>, std::string> unpack(std::string_view zip, std::size_t max_bytes,
                                                                 std::size_t max_files) {
  // To libzip, nothing at all is an archive that is yet to be written.
  const Archive archive = zip.empty() ? nullptr : open(zip);
  if (!archive) return std::unexpected(std::string("is not a zip archive"));
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (count > static_cast<zip_int64_t>(max_files)) {
    return std::unexpected("holds more than " + std::to_string(max_files) + " files");
  }
  std::vector<model::InputFile> files;
  std::size_t left = max_bytes;
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    zip_stat_t stat{};
    constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive.get(), i, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded) {
      return std::unexpected(std::string("is damaged"));
    }
    const std::string name(stat.name);
    if (name.ends_with('/')) continue;
    const unsigned mode = mode_of(archive.get(), i);
    if ((mode & S_IFMT) != 0 && !S_ISREG(mode)) return std::unexpected("holds what is no regular file: " + name);
    if (stat.encryption_method != ZIP_EM_NONE) return std::unexpected("holds an encrypted file: " + name);
    if (stat.size > left) return std::unexpected("unpacks to more than " + std::to_string(max_bytes) + " bytes");
    left -= stat.size;
    auto content = read(archive.get(), i, stat);
    if (!content) return std::unexpected(std::move(content.error()));
    files.push_back({name, std::move(*content), (mode & S_IXUSR) != 0 ? 0755U : 0644U});
  }
  return files;
}

}  // namespace outrigger::judge0
