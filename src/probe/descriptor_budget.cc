#include "probe/descriptor_budget.h"

#include <sys/resource.h>

#include <algorithm>

namespace outrigger::probe {
namespace {

std::size_t allowed_by_the_kernel() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return limit.rlim_cur > DescriptorBudget::kSpare ? limit.rlim_cur - DescriptorBudget::kSpare : 0;
}

}  // namespace

DescriptorBudget::DescriptorBudget(std::size_t most) : most_(std::min(most, allowed_by_the_kernel())) {}

bool DescriptorBudget::Lease::take() {
  if (budget_->used_ >= budget_->most_) return false;
  ++budget_->used_;
  ++count_;
  return true;
}

void DescriptorBudget::Lease::give_back() {
  --budget_->used_;
  --count_;
}

void DescriptorBudget::Lease::give_back_all() { budget_->used_ -= std::exchange(count_, 0); }

}  // namespace outrigger::probe
