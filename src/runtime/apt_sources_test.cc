#include "runtime/apt_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/machine_apt.h"

namespace outrigger::runtime {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kTargets =
    "deb\tDebian\tbookworm\tstable\tmain\thttp://mirror.example/debian/\t/etc/apt/sources.list:3\n"
    "deb\tDebian\tbookworm\tstable\tnon-free\thttp://mirror.example/debian/\t/etc/apt/sources.list:3\n"
    "deb\tDebian\tbookworm\tstable\tmain\thttp://mirror.example/debian/\t/etc/apt/sources.list:3\n"
    "deb\tDebian\tbookworm-security\tbookworm-security\tmain\thttp://mirror.example/security/\t/x/debian.sources:2\n"
    "deb\tDebian Backports\tbookworm-backports\tbookworm-backports\tmain\thttp://mirror.example/debian/\t/x:1\n"
    "deb\tNode Source\tbookworm\tbookworm\tmain\thttps://vendor.example/node/\t/etc/apt/sources.list.d/node.list:1\n"
    "deb-src\tDebian\tbookworm\tstable\tmain\thttp://mirror.example/debian/\t/etc/apt/sources.list:4\n"
    "half a line\tDebian\n";

std::optional<std::string> no_file(const std::string&) { return std::nullopt; }

TEST(AptSources, AreDebiansOwnOfTheSuite) {
  EXPECT_THAT(debian_sources(parse_index_targets(kTargets), "bookworm", no_file),
              ElementsAre("deb http://mirror.example/debian/ stable main",
                          "deb http://mirror.example/security/ bookworm-security main"));
}

TEST(AptSources, KeepTheKeyTheMachineTrustsThemWith) {
  const auto read = [](const std::string& path) -> std::optional<std::string> {
    if (path == "/x/debian.sources") return "Suites: bookworm\nSigned-By: /a.gpg\n\n\nSuites: s\nSigned-By:  /b.gpg \n";
    return "# first\n\ndeb [arch=amd64 signed-by=/c.gpg] http://mirror.example/debian stable main\n";
  };
  EXPECT_THAT(debian_sources(parse_index_targets(kTargets), "bookworm", read),
              ElementsAre("deb [signed-by=/c.gpg] http://mirror.example/debian/ stable main",
                          "deb [signed-by=/b.gpg] http://mirror.example/security/ bookworm-security main"));
}

TEST(AptSources, UpdatesWithoutTheArchiveAreNothing) {
  const auto targets = parse_index_targets("deb\tDebian\tbookworm-security\tb\tmain\thttp://m/\t/x:1\n");
  EXPECT_THAT(debian_sources(targets, "bookworm", no_file), IsEmpty());
}

TEST(AptSources, AnotherSuiteIsNothing) {
  EXPECT_THAT(debian_sources(parse_index_targets(kTargets), "trixie", no_file), IsEmpty());
}

TEST(EntryOptions, AKeyThatCannotBeSaidInOneLineIsLeftOut) {
  EXPECT_EQ(entry_options("Signed-By:\n -----BEGIN PGP\n", true, 1), "");
  EXPECT_EQ(entry_options("deb [signed-by=ABCDEF] http://m/ a main", false, 1), "");
  EXPECT_EQ(entry_options("deb http://m/ a main", false, 1), "");
  EXPECT_EQ(entry_options("deb http://m/ a main", false, 7), "");
  EXPECT_EQ(entry_options("Signed-By: /a.gpg /b.gpg\n", true, 1), "");
}

TEST(TransportSettings, KeepProxiesAndDropTheRest) {
  const std::string settings = transport_settings(
      "Acquire::http \"\";\nAcquire::http::Proxy \"http://p:1\";\nAcquire::httpx \"1\";\nAcquire::Retries \"3\";\n"
      "Acquire::AllowInsecureRepositories \"1\";\nAcquire::Check-Valid-Until \"false\";");
  EXPECT_EQ(settings,
            "Dir::Etc::netrc \"/etc/apt/auth.conf\";\nDir::Etc::netrcparts \"/etc/apt/auth.conf.d\";\n"
            "Acquire::http::Proxy \"http://p:1\";\nAcquire::Retries \"3\";\nAcquire::Check-Valid-Until \"false\";\n");
}

}  // namespace
}  // namespace outrigger::runtime
