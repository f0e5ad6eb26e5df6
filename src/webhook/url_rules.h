#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "webhook/networks.h"

namespace outrigger::webhook {

// Where callbacks may go. Immutable once made; for any thread.
class UrlRules {
 public:
  // `allowed_hosts`: "hooks.example.com", "*.example.org" (any name below it, not itself), "[2001:db8::1]"; each with
  // ":port" allows that port, without one only the scheme's own. `permitted_networks`: CIDR, see check_address().
  // kInvalid where one of them is none.
  static base::Result<UrlRules> make(std::span<const std::string> allowed_hosts,
                                     std::span<const std::string> permitted_networks);

  // This URL's own host and port and no other, wherever they lie: for one that the operator has named. kInvalid for
  // what is none.
  static base::Result<UrlRules> only(const std::string& url);

  // kInvalid naming the rule that `url` breaks. What a name resolves to is only known, and judged, at delivery.
  [[nodiscard]] base::Status check(const std::string& url) const;
  [[nodiscard]] base::Status check_address(const IpAddress& address) const;

 private:
  struct HostPattern {
    std::string name;        // lower case
    bool below = false;      // what stands below it, not itself
    std::uint16_t port = 0;  // 0: the scheme's own
    [[nodiscard]] bool allows(std::string_view host, std::uint16_t wanted, std::uint16_t scheme_port) const;
  };
  static std::optional<HostPattern> parse_pattern(std::string_view text);

  std::vector<HostPattern> hosts_;
  std::vector<Network> permitted_;
};

}  // namespace outrigger::webhook
