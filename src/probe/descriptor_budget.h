#pragma once

#include <cstddef>
#include <utility>

namespace outrigger::probe {

// How many descriptors all groups together may keep open between readings. Each kept file costs a page of kernel memory
// too, its read buffer: 4096 of them 16 MiB. For one thread; outlives the leases it has given.
class DescriptorBudget {
 public:
  static constexpr std::size_t kDefault = 4096;
  static constexpr std::size_t kSpare = 256;  // left under RLIMIT_NOFILE for the rest of the process

  explicit DescriptorBudget(std::size_t most = kDefault);
  DescriptorBudget(const DescriptorBudget&) = delete;
  DescriptorBudget& operator=(const DescriptorBudget&) = delete;

  [[nodiscard]] std::size_t most() const { return most_; }
  [[nodiscard]] std::size_t used() const { return used_; }
  // The kernel had none left (EMFILE, ENFILE): from now on no more than there are.
  void shrink() { most_ = used_; }

  // A number of descriptors taken from the budget, given back with it.
  class Lease {
   public:
    explicit Lease(DescriptorBudget& budget) : budget_(&budget) {}
    Lease(Lease&& other) noexcept : budget_(other.budget_), count_(std::exchange(other.count_, 0)) {}
    Lease& operator=(Lease&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(count_, other.count_);
      return *this;
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { give_back_all(); }

    bool take();  // one more, if there is one
    void give_back();
    void give_back_all();
    DescriptorBudget& budget() { return *budget_; }

   private:
    DescriptorBudget* budget_;
    std::size_t count_ = 0;
  };

 private:
  std::size_t most_;
  std::size_t used_ = 0;
};

}  // namespace outrigger::probe
