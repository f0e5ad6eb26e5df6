#include "ledger/segment_file.h"

#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "sys/small_file.h"

namespace outrigger::ledger {
namespace {

constexpr std::string_view kStep = "ledger_write";
constexpr unsigned kMode = 0640;

class File : public SegmentFile {
 public:
  File(base::UniqueFd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}

  base::Result<std::uint64_t> size() override {
    struct stat info{};
    if (::fstat(fd_.get(), &info) != 0) return base::system_error(kStep, name_);
    if (info.st_nlink == 0) return base::system_error(kStep, name_, ENOENT);
    return static_cast<std::uint64_t>(info.st_size);
  }

  base::Result<std::size_t> write(std::string_view bytes) override {
    for (;;) {
      const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
      if (written >= 0) return static_cast<std::size_t>(written);
      if (errno != EINTR) return base::system_error(kStep, name_);
    }
  }

  base::Status sync() override {
    if (::fdatasync(fd_.get()) != 0) return base::system_error("ledger_sync", name_);
    return {};
  }

  base::Status truncate(std::uint64_t size) override {
    if (::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0) return base::system_error("ledger_cut_back", name_);
    return {};
  }

 private:
  base::UniqueFd fd_;
  std::string name_;
};

}  // namespace

base::Result<std::unique_ptr<SegmentFile>> open_segment_file(int dir, const std::string& file, bool create) {
  const int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | (create ? O_CREAT | O_EXCL : 0);
  auto fd = sys::open_at(dir, file.c_str(), flags, kMode);
  if (!fd) return base::system_error("ledger_open", file, fd.error().errno_value);
  return std::make_unique<File>(std::move(*fd), file);
}

}  // namespace outrigger::ledger
