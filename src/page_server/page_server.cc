#include "page_server/page_server.h"

#include <prometheus/collectable.h>
#include <prometheus/exposer.h>

#include <exception>
#include <mutex>

namespace outrigger::families {
namespace {

constexpr std::size_t kThreads = 2;  // a reader that is slow does not keep another out

class Page : public prometheus::Collectable {
 public:
  explicit Page(std::function<Families()> make) : make_(std::move(make)) {}
  [[nodiscard]] Families Collect() const override {
    const std::lock_guard lock(mutex_);
    return make_();
  }

 private:
  std::function<Families()> make_;
  mutable std::mutex mutex_;
};

class ExposedPage final : public PageServer {
 public:
  ExposedPage(const std::string& address, std::function<Families()> page)
      : page_(std::make_shared<Page>(std::move(page))), exposer_(address, kThreads) {
    exposer_.RegisterCollectable(page_);
  }

 private:
  std::shared_ptr<Page> page_;
  prometheus::Exposer exposer_;
};

}  // namespace

base::Result<std::unique_ptr<PageServer>> PageServer::listen(const std::string& address,
                                                             std::function<Families()> page) {
  try {
    return std::make_unique<ExposedPage>(address, std::move(page));
  } catch (const std::exception&) {
    // civetweb says no more than that it did not start.
    return base::failure(base::Code::kSystem, "serve_metrics",
                         address + ": nothing can listen there; is another program doing so?");
  }
}

}  // namespace outrigger::families
