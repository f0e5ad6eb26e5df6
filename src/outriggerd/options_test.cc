#include "outriggerd/options.h"

#include <gtest/gtest.h>

#include <vector>

namespace outrigger::outriggerd {
namespace {

std::expected<Options, std::string> parse(const std::vector<const char*>& arguments) {
  return parse_options(arguments);
}

TEST(DaemonOptions, ReadsBothSpellingsOfAValue) {
  const auto options = parse({"--listen", "127.0.0.1:1", "--state-dir=/s", "--config=/c=d", "--images-dir", "/i",
                              "--runtimes-dir", "/r", "--log-format=json"});
  ASSERT_TRUE(options.has_value()) << options.error();
  EXPECT_EQ(options->load.listen, "127.0.0.1:1");
  EXPECT_EQ(options->load.paths.state_dir, "/s");
  EXPECT_EQ(options->load.paths.config_file, "/c=d");
  EXPECT_EQ(options->load.paths.images_dir, "/i");
  EXPECT_EQ(options->load.paths.runtimes_dir, "/r");
  EXPECT_EQ(options->load.log_format, base::LogFormat::kJson);
}

TEST(DaemonOptions, ReadsFlags) {
  EXPECT_TRUE(parse({"--check-config"})->check_config);
  EXPECT_TRUE(parse({"--version"})->version);
  EXPECT_TRUE(parse({"-h"})->help);
  EXPECT_FALSE(parse({})->check_config);
}

TEST(DaemonOptions, RefusesWhatItDoesNotKnow) {
  for (const std::vector<const char*>& bad : std::vector<std::vector<const char*>>{{"--lisen", "x"},
                                                                                   {"serve"},
                                                                                   {"--listen"},
                                                                                   {"--listen="},
                                                                                   {"--check-config=yes"},
                                                                                   {"--log-format", "xml"},
                                                                                   {""},
                                                                                   {"-x"}}) {
    EXPECT_FALSE(parse(bad).has_value()) << bad.front();
  }
}

TEST(DaemonOptions, TheHelpNamesEveryOption) {
  for (const char* name : {"--listen", "--state-dir", "--config", "--check-config", "--images-dir", "--runtimes-dir",
                           "--log-format", "--version"}) {
    EXPECT_NE(usage().find(name), std::string_view::npos) << name;
  }
}

}  // namespace
}  // namespace outrigger::outriggerd
