#include "cli/language.h"

#include <gtest/gtest.h>

namespace outrigger::cli {
namespace {

runtime::Definition definition(const char* name, std::vector<std::string> aliases, const char* source_file) {
  runtime::Definition out;
  out.runtime.name = name;
  out.runtime.aliases = std::move(aliases);
  out.runtime.source_file = source_file;
  return out;
}

const std::vector<runtime::Definition> kDefinitions{definition("bash", {"sh"}, "main.sh"),
                                                    definition("node", {"js"}, "main.js"),
                                                    definition("python", {"py", "python3"}, "main.py")};

std::string guess(std::string_view name, std::string_view code) { return guess_language(name, code, kDefinitions); }

TEST(GuessLanguage, ByTheNamesEnding) {
  EXPECT_EQ(guess("x.py", ""), "python");
  EXPECT_EQ(guess("dir.js/x.sh", ""), "bash");
  EXPECT_EQ(guess("a.b.js", ""), "node");
  EXPECT_EQ(guess("x.bash", ""), "bash");
}

TEST(GuessLanguage, TheEndingWinsOverTheFirstLine) { EXPECT_EQ(guess("x.py", "#!/bin/bash\n"), "python"); }

TEST(GuessLanguage, ByTheFirstLine) {
  EXPECT_EQ(guess("x", "#!/bin/bash\n"), "bash");
  EXPECT_EQ(guess("x", "#! /usr/bin/env python3\n"), "python");
  EXPECT_EQ(guess("x", "#!/usr/bin/env -S node --no-warnings\n"), "node");
  EXPECT_EQ(guess("x", "#!/usr/bin/python3.11 -u\r\n"), "python");
  EXPECT_EQ(guess("x.txt", "#!/bin/sh"), "bash");
}

TEST(GuessLanguage, SaysNothingWhereItCannotTell) {
  EXPECT_EQ(guess("x", "print(1)"), "");
  EXPECT_EQ(guess("x.rb", "#!/usr/bin/ruby\n"), "");
  EXPECT_EQ(guess("", ""), "");
  EXPECT_EQ(guess("x", "#!"), "");
  EXPECT_EQ(guess("x", "\n#!/bin/bash"), "");
}

}  // namespace
}  // namespace outrigger::cli
