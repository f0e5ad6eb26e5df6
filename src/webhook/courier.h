#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/error.h"
#include "webhook/url_rules.h"

namespace outrigger::webhook {

struct Delivery {
  std::string job_id;
  std::string url;
  std::string body;              // JSON
  bool put = false;              // by PUT, else by POST
  std::string traceparent = {};  // sent as the header field of that name; empty: none is
};

enum class Fate {
  kDelivered,  // 2xx
  kRetry,      // 408, 425, 429, 5xx, or no answer at all
  kGivenUp,    // any other answer, a URL that breaks the rules, or only addresses that do
};

struct Delivered {
  Fate fate = Fate::kGivenUp;
  long http_status = 0;                // 0: there was no answer
  std::string reason;                  // why it was not delivered; never the secret, the body or an answer's text
  std::chrono::seconds retry_after{};  // what the server has asked for; 0: nothing
};

struct CourierOptions {
  std::string secret;   // signs each delivery; empty: unsigned
  std::string ca_file;  // PEM of the authorities https servers are held against; empty: the system's
  std::chrono::milliseconds connect_timeout{3'000};
  std::chrono::milliseconds total_timeout{10'000};
};

// Sends results to callback URLs:
//   Content-Type: application/json    User-Agent: outrigger/<version>
//   Outrigger-Job-Id: <job id>        Outrigger-Timestamp: <seconds since the epoch>
//   Outrigger-Signature: sha256=<HMAC-SHA-256 of "<timestamp>.<body>" under the secret, hexadecimal>
// A new connection each time, to an address that is judged at the moment it is connected to; no redirect, no proxy, no
// credentials. Blocking, never longer than the total timeout; for one thread at a time.
class Courier {
 public:
  Courier(UrlRules rules, CourierOptions options);
  ~Courier();
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;

  // An Error means that nothing was tried (kExhausted, kInternal), and that it may be later.
  base::Result<Delivered> deliver(const Delivery& delivery);

 private:
  struct Attempt;

  UrlRules rules_;
  CourierOptions options_;
};

}  // namespace outrigger::webhook
