#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "digest/digest.h"
#include "tenants/token_list.h"

namespace outrigger::tenants {

// A tokens file in a directory of a test's own.
class TestPlace : public ::testing::Test {
 protected:
  TestPlace() {
    std::string pattern = ::testing::TempDir() + "tokens_test.XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "mkdtemp " << pattern;
    directory_ = pattern;
    path_ = directory_ / "tokens" / "tokens.jsonl";
  }
  ~TestPlace() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& text) const {
    std::filesystem::create_directories(path_.parent_path());
    std::ofstream(path_) << text;
    std::filesystem::permissions(path_, std::filesystem::perms{0640});
  }
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path directory_;
  std::filesystem::path path_;
};

inline Token token_of(std::string tenant, std::string id, std::string_view secret) {
  Token token;
  token.id = std::move(id);
  token.tenant = std::move(tenant);
  token.sha256 = digest::sha256_hex(secret);
  token.created = std::chrono::system_clock::now();
  return token;
}

}  // namespace outrigger::tenants
