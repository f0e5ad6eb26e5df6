#include "webhook/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace outrigger::webhook {
namespace {

using testing::HasSubstr;

std::string verdict(std::string_view address, const std::vector<Network>& permitted = {}) {
  const auto ip = parse_ip(address);
  if (!ip) return "no address";
  const auto status = check_address(*ip, permitted);
  return status ? "public" : status.error().context;
}

struct Refused {
  std::string_view address;
  std::string_view what;
};

class AddressRefused : public testing::TestWithParam<Refused> {};

TEST_P(AddressRefused, SaysWhatItIs) {
  EXPECT_THAT(verdict(GetParam().address), HasSubstr(" is " + std::string(GetParam().what) + ", and in no permitted"));
}

INSTANTIATE_TEST_SUITE_P(
    Table, AddressRefused,
    testing::Values(Refused{"0.0.0.0", "unspecified"}, Refused{"0.1.2.3", "unspecified"},
                    Refused{"10.0.0.1", "private"}, Refused{"10.255.255.255", "private"},
                    Refused{"172.16.0.1", "private"}, Refused{"172.31.255.255", "private"},
                    Refused{"192.168.1.1", "private"}, Refused{"127.0.0.1", "loopback"},
                    Refused{"127.255.255.254", "loopback"}, Refused{"169.254.169.254", "link-local"},
                    Refused{"100.64.0.1", "carrier-grade NAT"}, Refused{"100.100.100.200", "carrier-grade NAT"},
                    Refused{"100.127.255.255", "carrier-grade NAT"}, Refused{"168.63.129.16", "a cloud's metadata"},
                    Refused{"192.0.0.192", "reserved"}, Refused{"198.19.255.255", "benchmarking"},
                    Refused{"224.0.0.1", "multicast"}, Refused{"239.255.255.255", "multicast"},
                    Refused{"240.0.0.1", "reserved"}, Refused{"255.255.255.255", "reserved"},
                    Refused{"::", "unspecified"}, Refused{"::1", "loopback"},
                    Refused{"::ffff:127.0.0.1", "IPv4-mapped"}, Refused{"::ffff:8.8.8.8", "IPv4-mapped"},
                    Refused{"::127.0.0.1", "reserved"}, Refused{"64:ff9b::7f00:1", "NAT64"},
                    Refused{"64:ff9b:1::1", "NAT64"}, Refused{"2002:7f00:1::", "6to4"}, Refused{"2001::1", "reserved"},
                    Refused{"2001:db8::1", "documentation"}, Refused{"fd00:ec2::254", "private"},
                    Refused{"fc00::1", "private"}, Refused{"fe80::1", "link-local"}, Refused{"fec0::1", "reserved"},
                    Refused{"ff02::1", "multicast"}, Refused{"4000::1", "reserved"}, Refused{"100::1", "reserved"}));

TEST(Address, PublicOnesAreFree) {
  for (const auto* address :
       {"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
        "168.63.129.17", "172.15.255.255", "172.32.0.0", "192.167.255.255", "223.255.255.255", "2600::1",
        "2a00:1450::1", "2001:4860:4860::8888", "2003::1"}) {
    EXPECT_EQ(verdict(address), "public") << address;
  }
}

TEST(Address, PermittedNetworksAreFree) {
  const std::vector<Network> permitted = {*parse_network("10.1.0.0/16"), *parse_network("fd00:1::/32")};
  EXPECT_EQ(verdict("10.1.255.1", permitted), "public");
  EXPECT_EQ(verdict("fd00:1::5", permitted), "public");
  EXPECT_THAT(verdict("10.2.0.1", permitted), HasSubstr("private"));
  EXPECT_THAT(verdict("fd00:2::5", permitted), HasSubstr("private"));
  EXPECT_THAT(verdict("::ffff:10.1.0.1", permitted), HasSubstr("IPv4-mapped"));
  EXPECT_EQ(verdict("127.0.0.1", {*parse_network("0.0.0.0/0")}), "public");
}

TEST(Network, IsWrittenWithoutBitsBeyondItsPrefix) {
  EXPECT_TRUE(parse_network("10.0.0.0/8"));
  EXPECT_TRUE(parse_network("127.0.0.1/32"));
  EXPECT_TRUE(parse_network("::/0"));
  for (const auto* text : {"", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8 ", "10.0.0.1/8", "/8",
                           "10.0.0/8", "::/129", "::1/127", "[::]/0", "fe80::%eth0/10", "hooks.example.com/8"}) {
    EXPECT_FALSE(parse_network(text)) << text;
  }
}

}  // namespace
}  // namespace outrigger::webhook
