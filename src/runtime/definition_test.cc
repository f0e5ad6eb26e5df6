#include "runtime/definition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/test_directory.h"

namespace outrigger::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr std::string_view kGood = R"(name = "lua"
description = "Lua 5.4"
aliases = ["lua5", "lua5.4"]
image = "standard"
packages = ["lua5.4"]
source_file = "main.lua"
command = ["/usr/bin/lua5.4", "main.lua"]
extra_syscalls = ["membarrier"]
[env]
LUA_INIT = "x = 1"
)";

std::string refusal(std::string_view toml) {
  const auto parsed = parse_definition(toml, "lua.toml");
  if (parsed) return "accepted";
  EXPECT_EQ(parsed.error().code, base::Code::kInvalid);
  return parsed.error().context;
}

// The good definition with one line in place of another.
std::string with(std::string_view from, std::string_view to) {
  std::string text(kGood);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, text.find('\n', at) - at, to);
}

TEST(Definition, ReadsEveryField) {
  const auto parsed = parse_definition(kGood, "lua.toml");
  ASSERT_TRUE(parsed) << parsed.error().text();
  const model::Runtime& runtime = parsed->runtime;
  EXPECT_EQ(runtime.name, "lua");
  EXPECT_EQ(parsed->description, "Lua 5.4");
  EXPECT_THAT(runtime.aliases, ElementsAre("lua5", "lua5.4"));
  EXPECT_EQ(runtime.image, "standard");
  EXPECT_THAT(runtime.packages, ElementsAre("lua5.4"));
  EXPECT_EQ(runtime.source_file, "main.lua");
  EXPECT_THAT(runtime.command, ElementsAre("/usr/bin/lua5.4", "main.lua"));
  EXPECT_THAT(runtime.extra_syscalls, ElementsAre("membarrier"));
  EXPECT_THAT(runtime.env, ElementsAre(Pair("LUA_INIT", "x = 1")));
}

TEST(Definition, AnUnknownKeyIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal(with("aliases", "alias = [\"l\"]")), "lua.toml:3:1: unknown key `alias`");
}

TEST(Definition, BadSyntaxIsRefusedWithItsPlace) { EXPECT_THAT(refusal("name = "), HasSubstr("lua.toml:1:")); }

TEST(Definition, AMissingKeyIsNamed) {
  EXPECT_THAT(refusal(with("image", "")), HasSubstr("`image` is missing"));
  EXPECT_THAT(refusal(with("command", "")), HasSubstr("`command` is missing"));
}

TEST(Definition, AWrongTypeIsNamed) {
  EXPECT_THAT(refusal(with("name", "name = 5")), HasSubstr("lua.toml:1:8: `name` must be a string"));
  EXPECT_THAT(refusal(with("packages", "packages = \"lua\"")), HasSubstr("`packages` must be an array of strings"));
  EXPECT_THAT(refusal(with("packages", "packages = [\"lua5.4\", 1]")), HasSubstr("`packages[1]` must be a string"));
  EXPECT_THAT(refusal(with("LUA_INIT", "LUA_INIT = 1")), HasSubstr("`env.LUA_INIT` must be a string"));
}

TEST(Definition, APackageIsANameAndNothingElse) {
  for (const char* package :
       {"-y", "lua=5", "lua/sid", "lua-", "?essential", "~n.*", "./x.deb", "a,b", "a b", "L", ""}) {
    EXPECT_THAT(refusal(with("packages", "packages = ['" + std::string(package) + "']")), HasSubstr("packages[0]"))
        << package;
  }
}

TEST(Definition, AnImageIsNoPath) {
  for (const char* image : {"../etc", "a/b", ".hidden", "a.json", ""}) {
    EXPECT_THAT(refusal(with("image", "image = '" + std::string(image) + "'")), HasSubstr("`image`")) << image;
  }
}

TEST(Definition, ASourceFileIsAPlainFileName) {
  for (const char* file : {"../x", "/x", "a/b", ".x", "-x", ""}) {
    EXPECT_THAT(refusal(with("source_file", "source_file = '" + std::string(file) + "'")), HasSubstr("`source_file`"))
        << file;
  }
}

TEST(Definition, ACommandIsAnAbsolutePath) {
  EXPECT_THAT(refusal(with("command", "command = ['lua5.4', 'main.lua']")), HasSubstr("command[0]"));
  EXPECT_THAT(refusal(with("command", "command = []")), HasSubstr("`command` must not be empty"));
  EXPECT_THAT(refusal(with("command", "command = [\"/usr/bin/a\\u0000b\"]")), HasSubstr("NUL"));
}

TEST(Definition, AVariableHasAName) {
  EXPECT_THAT(refusal(with("LUA_INIT", "\"A=B\" = 'x'")), HasSubstr("env.A=B"));
  EXPECT_THAT(refusal(with("LUA_INIT", "1A = 'x'")), HasSubstr("env.1A"));
}

constexpr std::string_view kCompiled = R"(name = "c"
image = "cpp"
packages = ["gcc"]
source_file = "main.c"
command = ["/tmp/work/a.out"]
refuse_sockets = true
[compile]
command = ["/usr/bin/gcc", "main.c"]
artifacts = ["a.out", "lib/**"]
env = { LANG = "C" }
limits = { wall_time_ms = 20000, cpu_cores = 2 }
)";

std::string compiled_with(std::string_view from, std::string_view to) {
  std::string text(kCompiled);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, text.find('\n', at) - at, to);
}

TEST(Definition, ReadsACompileStep) {
  const auto parsed = parse_definition(kCompiled, "c.toml");
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_TRUE(parsed->runtime.refuses_sockets);
  const model::CompileStep& step = parsed->runtime.compile;
  EXPECT_THAT(step.command, ElementsAre("/usr/bin/gcc", "main.c"));
  EXPECT_THAT(step.artifacts, ElementsAre("a.out", "lib/**"));
  EXPECT_THAT(step.env, ElementsAre(Pair("LANG", "C")));
  model::Limits expected = model::CompileStep{}.limits;
  expected.wall_time = std::chrono::seconds(20);
  expected.cpu_cores = 2;
  EXPECT_EQ(step.limits, expected);
  EXPECT_TRUE(parse_definition(kGood, "lua.toml")->runtime.compile.command.empty());
}

TEST(Definition, ACompileStepThatIsWrongIsRefusedWithItsPlace) {
  EXPECT_THAT(refusal(compiled_with("artifacts", "")), HasSubstr("`artifacts` is missing"));
  EXPECT_THAT(refusal(compiled_with("artifacts", "artifacts = ['/etc/*']")), HasSubstr("artifacts[0]"));
  EXPECT_THAT(refusal(compiled_with("artifacts", "artifacts = ['../a']")), HasSubstr("artifacts[0]"));
  EXPECT_THAT(refusal(compiled_with("command = [\"/usr/bin/gcc", "command = ['gcc']")),
              HasSubstr("compile.command[0]"));
  EXPECT_THAT(refusal(compiled_with("env", "envs = {}")), HasSubstr("lua.toml:10:1: unknown key `envs`"));
  EXPECT_THAT(refusal(compiled_with("limits", "limits = { wall_time = 1 }")), HasSubstr("unknown key `wall_time`"));
  EXPECT_THAT(refusal(compiled_with("limits", "limits = { pids = 0 }")), HasSubstr("`pids` must be a whole number"));
  EXPECT_THAT(refusal(compiled_with("limits", "limits = { pids = 1.5 }")), HasSubstr("`pids` must be a whole number"));
  EXPECT_THAT(refusal(compiled_with("limits", "limits = 5")), HasSubstr("`limits` must be a table"));
  EXPECT_THAT(refusal(compiled_with("refuse_sockets", "strategy = 'preload'\nprelude_library = 'waiting_main'")),
              HasSubstr("[compile] goes with strategy"));
}

constexpr std::string_view kPreloaded = R"(strategy = "preload"
prelude = "preludes/wait.lua"
prelude_path = "/tmp/home/.prelude/wait.lua"
primed_min = 1
primed_max = 3
)";

// The keys of kGood with these before them.
std::string preloaded(std::string_view keys) { return std::string(keys) + std::string(kGood); }

TEST(Definition, APreludeIsReadFromBesideTheFile) {
  const TestDirectory directory;
  directory.write("lua.toml", preloaded(kPreloaded));
  directory.write("preludes/wait.lua", "wait()");
  const auto loaded = load_definitions(directory.path());
  ASSERT_TRUE(loaded) << loaded.error().text();
  const model::Runtime& runtime = loaded->front().runtime;
  EXPECT_EQ(runtime.strategy, model::Strategy::kPreload);
  EXPECT_EQ(runtime.prelude.content, "wait()");
  EXPECT_EQ(runtime.prelude.path, "/tmp/home/.prelude/wait.lua");
  EXPECT_EQ(runtime.primed.min, 1U);
  EXPECT_EQ(runtime.primed.max, 3U);
}

TEST(Definition, APreludeThatIsMissingStopsTheStart) {
  const TestDirectory directory;
  directory.write("lua.toml", preloaded(kPreloaded));
  EXPECT_EQ(load_definitions(directory.path()).error().errno_value, ENOENT);
}

TEST(Definition, PreloadAndPreludeGoTogether) {
  EXPECT_THAT(refusal(preloaded("strategy = 'preload'\n")), HasSubstr("prelude"));
  EXPECT_THAT(refusal(preloaded("prelude = 'x'\nprelude_path = '/tmp/x'\n")), HasSubstr("prelude"));
  EXPECT_THAT(refusal(preloaded("strategy = 'fork'\n")), HasSubstr("`strategy`"));
}

TEST(Definition, APreludeStaysInItsPlaces) {
  for (const char* file : {"/etc/passwd", "../x"}) {
    EXPECT_THAT(refusal(preloaded("prelude = '" + std::string(file) + "'\n")), HasSubstr("`prelude`")) << file;
  }
  for (const char* path : {"/etc/x", "x", "/tmp/../etc/x"}) {
    EXPECT_THAT(refusal(preloaded("prelude_path = '" + std::string(path) + "'\n")), HasSubstr("`prelude_path`"))
        << path;
  }
}

TEST(Definition, PrimedCountsAreNumbersInOrder) {
  EXPECT_THAT(refusal(preloaded("primed_min = -1\n")), HasSubstr("`primed_min`"));
  EXPECT_THAT(refusal(preloaded("primed_min = 9\nprimed_max = 3\n")), HasSubstr("`primed_max`"));
  EXPECT_THAT(refusal(preloaded("primed_max = 'many'\n")), HasSubstr("`primed_max`"));
}

constexpr std::string_view kForked = R"(strategy = "zygote"
template_host = "lua_host"
template_imports = ["string", "os.path"]
template_reseed = ["math:randomseed"]
template_jails = 7
template_seconds = 9
start_variables = ["LUA_*", "TZ"]
)";

TEST(Definition, ATemplateIsDescribed) {
  const auto parsed = parse_definition(preloaded(kForked), "lua.toml");
  ASSERT_TRUE(parsed) << parsed.error().text();
  const model::Runtime& runtime = parsed->runtime;
  EXPECT_EQ(runtime.strategy, model::Strategy::kZygote);
  EXPECT_EQ(runtime.template_.host, "lua_host");
  EXPECT_THAT(runtime.template_.imports, ElementsAre("string", "os.path"));
  EXPECT_THAT(runtime.template_.reseed, ElementsAre("math:randomseed"));
  EXPECT_EQ(runtime.template_.max_jails, 7U);
  EXPECT_EQ(runtime.template_.max_age_s, 9U);
  EXPECT_THAT(runtime.start_variables, ElementsAre("LUA_*", "TZ"));
}

TEST(Definition, ZygoteAndTemplateGoTogether) {
  EXPECT_THAT(refusal(preloaded("strategy = 'zygote'\n")), HasSubstr("`template_host`"));
  EXPECT_THAT(refusal(preloaded("template_host = 'x'\n")), HasSubstr("`template_host`"));
  EXPECT_THAT(refusal(preloaded("template_imports = ['x']\n")), HasSubstr("`template_imports`"));
}

TEST(Definition, ATemplateNamesProgramsModulesAndFunctions) {
  const std::string good = "strategy = 'zygote'\ntemplate_host = 'x'\n";
  EXPECT_THAT(refusal(preloaded("strategy = 'zygote'\ntemplate_host = '../x'\n")), HasSubstr("`template_host`"));
  EXPECT_THAT(refusal(preloaded(good + "template_imports = ['os\\nimport x']\n")), HasSubstr("template_imports[0]"));
  EXPECT_THAT(refusal(preloaded(good + "template_imports = ['a b']\n")), HasSubstr("template_imports[0]"));
  EXPECT_THAT(refusal(preloaded(good + "template_reseed = ['random.seed']\n")), HasSubstr("template_reseed[0]"));
  EXPECT_THAT(refusal(preloaded(good + "template_jails = 0\n")), HasSubstr("`template_jails`"));
}

TEST(Definition, AStartVariableIsANameOrItsBeginning) {
  for (const char* pattern : {"A=B", "A*B", ""}) {
    EXPECT_THAT(refusal(preloaded("start_variables = ['" + std::string(pattern) + "']\n")),
                HasSubstr("start_variables[0]"))
        << pattern;
  }
}

TEST(Definitions, ComeInTheOrderOfTheirFiles) {
  const TestDirectory directory;
  directory.write("b.toml", with("name", "name = 'b'"));
  directory.write("a.toml", "name = 'a'\nimage = 'i'\npackages = ['aa']\nsource_file = 'x'\ncommand = ['/a']\n");
  directory.write("README", "not a runtime");
  const auto loaded = load_definitions(directory.path());
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->size(), 2U);
  EXPECT_EQ(loaded->front().runtime.name, "a");
  EXPECT_EQ(loaded->back().runtime.name, "b");
}

TEST(Definitions, ANameClaimedTwiceIsAConflict) {
  const TestDirectory directory;
  directory.write("a.toml", std::string(kGood));
  directory.write("b.toml", "name = 'lua5.4'\nimage = 'i'\npackages = ['aa']\nsource_file = 'x'\ncommand = ['/a']\n");
  const auto loaded = load_definitions(directory.path());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, base::Code::kConflict);
  EXPECT_THAT(loaded.error().context, HasSubstr("\"lua5.4\""));
}

TEST(Definitions, AnEmptyOrMissingDirectoryIsAnError) {
  const TestDirectory directory;
  EXPECT_EQ(load_definitions(directory.path()).error().code, base::Code::kNotFound);
  EXPECT_EQ(load_definitions(directory.path() / "none").error().errno_value, ENOENT);
}

}  // namespace
}  // namespace outrigger::runtime
