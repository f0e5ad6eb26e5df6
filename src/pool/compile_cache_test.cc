#include "pool/compile_cache.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace outrigger::pool {
namespace {

std::shared_ptr<const Compiled> program(std::size_t bytes) {
  Compiled compiled;
  compiled.artifacts.push_back({"a.out", std::string(bytes, 'x'), 0755});
  return std::make_shared<const Compiled>(std::move(compiled));
}

TEST(CompileCache, GivesBackWhatWasAdded) {
  CompileCache cache(1 << 20);
  EXPECT_EQ(cache.find("a"), nullptr);
  const auto added = program(100);
  cache.add("a", added);
  EXPECT_EQ(cache.find("a"), added);
  EXPECT_EQ(cache.find("b"), nullptr);
}

TEST(CompileCache, ForgetsWhoWasNotAskedForLongest) {
  CompileCache cache(400'000);
  for (const char* key : {"a", "b", "c"}) cache.add(key, program(100'000));
  EXPECT_NE(cache.find("a"), nullptr);
  cache.add("d", program(100'000));
  EXPECT_EQ(cache.find("b"), nullptr);
  for (const char* key : {"a", "c", "d"}) EXPECT_NE(cache.find(key), nullptr) << key;
  EXPECT_LE(cache.bytes(), 400'000U);
}

TEST(CompileCache, NeverHoldsMoreThanItMay) {
  CompileCache cache(100'000);
  cache.add("large", program(100'000));
  EXPECT_EQ(cache.find("large"), nullptr);
  for (int i = 0; i < 10'000; ++i) cache.add(std::to_string(i), program(0));
  EXPECT_LE(cache.bytes(), 100'000U);
  CompileCache none(0);
  none.add("a", program(0));
  EXPECT_EQ(none.find("a"), nullptr);
}

TEST(CompileCache, WhatIsGivenOutLivesOn) {
  CompileCache cache(2'000);
  cache.add("a", program(500));
  const auto held = cache.find("a");
  cache.add("b", program(500));
  EXPECT_EQ(cache.find("a"), nullptr);
  EXPECT_EQ(held->artifacts.front().content.size(), 500U);
}

TEST(CompileKey, DiffersWithAllThatMattersAndNothingElse) {
  model::Job job;
  job.tenant_id = "t";
  job.code = "code";
  job.files = {{"a", "bc", 0644}};
  model::InstalledRuntime installed;
  installed.runtime.name = "c";
  installed.runtime.compile.command = {"/usr/bin/gcc", "main.c"};
  installed.image_stamp = "1";
  using Change = std::function<void(model::Job&, model::InstalledRuntime&)>;
  const std::vector<Change> changes{
      [](auto& j, auto&) { j.tenant_id = "u"; },
      [](auto& j, auto&) { j.code = "codf"; },
      [](auto& j, auto&) { j.files[0].content = "bd"; },
      [](auto& j, auto&) { j.files[0] = {"ab", "c", 0644}; },
      [](auto& j, auto&) { j.files[0].mode = 0755; },
      [](auto& j, auto&) { j.files.clear(); },
      [](auto&, auto& i) { i.image_stamp = "2"; },
      [](auto&, auto& i) { i.runtime.name = "cpp"; },
      [](auto&, auto& i) { i.runtime.compile.command = {"/usr/bin/gcc main.c"}; },
      [](auto&, auto& i) { i.runtime.compile.artifacts = {"a.out"}; },
      [](auto&, auto& i) { i.runtime.compile.env = {{"A", "1"}}; },
      [](auto&, auto& i) { i.runtime.env = {{"A", "1"}}; },
  };
  std::set<std::string> keys{compile_key(job, installed)};
  for (const Change& change : changes) {
    model::Job other = job;
    model::InstalledRuntime elsewhere = installed;
    change(other, elsewhere);
    EXPECT_TRUE(keys.insert(compile_key(other, elsewhere)).second) << keys.size();
  }
  model::Job same = job;
  same.stdin_data = "in";
  same.args = {"x"};
  same.limits.pids = 5;
  EXPECT_EQ(compile_key(same, installed), compile_key(job, installed));
}

}  // namespace
}  // namespace outrigger::pool
