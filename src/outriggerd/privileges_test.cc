// Each drop is for good, so each happens in a process of its own. These tests need root, as the daemon does.
#include "outriggerd/privileges.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

namespace outrigger::outriggerd {
namespace {

constexpr Identity kNobody{1899999999, 1899999999};

// The exit status of `body` in a process of its own; -1 where it did not exit.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

std::string status_line(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + ":\t")) return line.substr(name.size() + 2);
  }
  return "";
}

TEST(Privileges, AreGoneForGood) {
  EXPECT_EQ(in_child([] {
              if (!drop_privileges(kNobody)) return 1;
              if (::setuid(0) == 0 || ::setgid(0) == 0) return 2;
              if (::socket(AF_INET, SOCK_RAW, 1) >= 0) return 3;
              if (::open("/etc/shadow", O_RDONLY | O_CLOEXEC) >= 0) return 4;
              return 0;
            }),
            0);
}

TEST(Privileges, NoSetOfCapabilitiesAndNoGroupIsLeft) {
  EXPECT_EQ(in_child([] {
              if (!drop_privileges(kNobody)) return 1;
              // Else the process's own /proc files were root's.
              if (::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) return 2;
              for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
                if (status_line(set) != "0000000000000000") return 3;
              }
              if (status_line("NoNewPrivs") != "1") return 4;
              if (status_line("Groups").find_first_not_of(' ') != std::string::npos) return 5;
              return 0;
            }),
            0);
}

TEST(Privileges, ItsOwnUserCannotTraceIt) {
  EXPECT_EQ(in_child([] { return drop_privileges(kNobody) && ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : 1; }), 0);
}

TEST(Privileges, StayingRootIsNotDropping) {
  EXPECT_EQ(in_child([] { return drop_privileges({0, 0}) ? 1 : 0; }), 0);
}

TEST(ResourceLimits, MakeRoomForDescriptorsAndNoCoreDumps) {
  EXPECT_EQ(in_child([] {
              rlimit before{};
              ::getrlimit(RLIMIT_NOFILE, &before);
              const rlimit low{100, before.rlim_max};
              ::setrlimit(RLIMIT_NOFILE, &low);
              if (!set_resource_limits(3000)) return 1;
              rlimit after{};
              ::getrlimit(RLIMIT_NOFILE, &after);
              if (after.rlim_cur < 3000) return 2;
              ::getrlimit(RLIMIT_CORE, &after);
              return after.rlim_max == 0 ? 0 : 3;
            }),
            0);
}

}  // namespace
}  // namespace outrigger::outriggerd
