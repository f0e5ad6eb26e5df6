#include "webhook/courier.h"

#include <curl/curl.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <utility>

#include "base/ids.h"
#include "digest/digest.h"
#include "webhook/parsed_url.h"

namespace outrigger::webhook {
namespace {

constexpr std::size_t kBodyRead = 64UL << 10U;  // of an answer; its status has said all by then

struct FreeEasy {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Headers = std::unique_ptr<curl_slist, FreeList>;

bool start_libcurl() {
  static const bool kStarted = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return kStarted;
}

bool add(Headers& headers, const std::string& line) {
  curl_slist* longer = curl_slist_append(headers.get(), line.c_str());
  if (longer == nullptr) return false;
  if (!headers) headers.reset(longer);  // else it is the head there was
  return true;
}

bool worth_another_try(long status) {
  return status == 408 || status == 425 || status == 429 || (status >= 500 && status <= 599);
}

}  // namespace

// One transfer, and what its callbacks have seen.
struct Courier::Attempt {
  Attempt(const UrlRules& rules_to_heed, ParsedUrl parsed) : rules(rules_to_heed), url(std::move(parsed)) {}

  const UrlRules& rules;
  ParsedUrl url;
  std::unique_ptr<CURL, FreeEasy> handle{curl_easy_init()};
  Headers headers;
  std::array<char, CURL_ERROR_SIZE> error{};
  std::string refused;        // why the last address was not connected to
  std::size_t connected = 0;  // how many were tried
  std::size_t received = 0;
  bool cut = false;
  bool complete = true;  // every option was taken

  template <typename T>
  void set(CURLoption option, T value) {
    complete = complete && curl_easy_setopt(handle.get(), option, value) == CURLE_OK;
  }
  void add_headers(const Delivery& delivery, const std::string& secret);
  void configure(const Delivery& delivery, const CourierOptions& options);
  [[nodiscard]] Delivered judge(CURLcode code) const;

  static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static std::size_t read_body(char* bytes, std::size_t size, std::size_t count, void* self);
};

// The address is the one this very socket is going to be connected to: between this look and the connection nobody
// can change what the name means.
curl_socket_t Courier::Attempt::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  auto& attempt = *static_cast<Attempt*>(self);
  const auto ip = ip_of(address->addr);
  const base::Status status = ip ? attempt.rules.check_address(*ip)
                                 : base::failure(base::Code::kInvalid, "callback_address", "it is no IP address");
  if (!status) {
    attempt.refused = status.error().text();
    return CURL_SOCKET_BAD;
  }
  ++attempt.connected;
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t Courier::Attempt::read_body(char*, std::size_t size, std::size_t count, void* self) {
  auto& attempt = *static_cast<Attempt*>(self);
  attempt.received += size * count;
  attempt.cut = attempt.received > kBodyRead;
  return attempt.cut ? 0 : size * count;  // less than it was given: the transfer ends
}

void Courier::Attempt::add_headers(const Delivery& delivery, const std::string& secret) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string timestamp = std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count());
  const auto with = [&](const std::string& line) { complete = add(headers, line) && complete; };
  with("Content-Type: application/json");
  with("Outrigger-Job-Id: " + delivery.job_id);
  with("Outrigger-Timestamp: " + timestamp);
  if (!delivery.traceparent.empty()) with("traceparent: " + delivery.traceparent);
  if (!secret.empty()) {
    with("Outrigger-Signature: sha256=" + digest::hmac_sha256_hex(secret, timestamp + "." + delivery.body));
  }
  with("Expect:");  // no 100-continue: a server that does not know it would cost a second
}

void Courier::Attempt::configure(const Delivery& delivery, const CourierOptions& options) {
  add_headers(delivery, options.secret);
  set(CURLOPT_ERRORBUFFER, error.data());
  set(CURLOPT_CURLU, url.handle.get());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_PROXY, "");  // also none from the environment
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_FRESH_CONNECT, 1L);
  set(CURLOPT_FORBID_REUSE, 1L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // a resolver that does not answer must not hold us beyond the timeout
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.total_timeout.count()));
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  if (!options.ca_file.empty()) set(CURLOPT_CAINFO, options.ca_file.c_str());
  set(CURLOPT_USERAGENT, "outrigger/" OUTRIGGER_VERSION);
  set(CURLOPT_HTTPHEADER, headers.get());
  set(CURLOPT_POST, 1L);
  if (delivery.put) set(CURLOPT_CUSTOMREQUEST, "PUT");
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(delivery.body.size()));
  set(CURLOPT_POSTFIELDS, delivery.body.data());
  set(CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  set(CURLOPT_OPENSOCKETDATA, this);
  set(CURLOPT_WRITEFUNCTION, &read_body);
  set(CURLOPT_WRITEDATA, this);
}

Delivered Courier::Attempt::judge(CURLcode code) const {
  Delivered out;
  if (code != CURLE_OK && !cut) {
    // Where every address was refused, the next try would find the same; where one was tried, it may be back by then.
    const bool never_tried = !refused.empty() && connected == 0;
    out.fate = never_tried ? Fate::kGivenUp : Fate::kRetry;
    out.reason = never_tried ? refused : std::string(error[0] != '\0' ? error.data() : curl_easy_strerror(code));
    return out;
  }
  curl_off_t asked = 0;
  curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &out.http_status);
  curl_easy_getinfo(handle.get(), CURLINFO_RETRY_AFTER, &asked);
  if (out.http_status >= 200 && out.http_status <= 299) {
    out.fate = Fate::kDelivered;
    return out;
  }
  out.fate = worth_another_try(out.http_status) ? Fate::kRetry : Fate::kGivenUp;
  out.reason = "the server answered " + std::to_string(out.http_status);
  if (out.fate == Fate::kRetry) out.retry_after = std::chrono::seconds(asked);
  return out;
}

Courier::Courier(UrlRules rules, CourierOptions options) : rules_(std::move(rules)), options_(std::move(options)) {}
Courier::~Courier() = default;

base::Result<Delivered> Courier::deliver(const Delivery& delivery) {
  if (!base::is_job_id(delivery.job_id)) return base::failure(base::Code::kInternal, "webhook", "not a job's id");
  // The rules may have been others when the job was submitted.
  const auto status = rules_.check(delivery.url);
  auto url = parse_url(delivery.url);
  if (!status || !url) {
    return Delivered{.fate = Fate::kGivenUp, .reason = (status ? url.error() : status.error()).text()};
  }
  if (!start_libcurl()) return base::failure(base::Code::kExhausted, "webhook", "libcurl does not start");
  Attempt attempt(rules_, std::move(*url));
  if (!attempt.handle) return base::failure(base::Code::kExhausted, "webhook", "libcurl has no handle");
  attempt.configure(delivery, options_);
  // An option that was not taken may be the one that checks addresses: nothing is sent then.
  if (!attempt.complete) return base::failure(base::Code::kInternal, "webhook", "libcurl refuses an option");
  return attempt.judge(curl_easy_perform(attempt.handle.get()));
}

}  // namespace outrigger::webhook
