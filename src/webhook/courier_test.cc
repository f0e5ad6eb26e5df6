#include "webhook/courier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "digest/digest.h"
#include "webhook/test_receiver.h"

namespace outrigger::webhook {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

const std::string kBody = R"({"job_id":"j1","status":"completed"})";

// Allows the receiver by address and by the name localhost, and loopback, unless `permitted` says otherwise.
Courier courier_for(const TestReceiver& receiver, CourierOptions options = {},
                    const std::vector<std::string>& permitted = {"127.0.0.0/8", "::1/128"}) {
  const std::vector<std::string> hosts = {receiver.host_and_port(), "localhost:" + std::to_string(receiver.port())};
  return {*UrlRules::make(hosts, permitted), std::move(options)};
}

Delivered deliver(Courier&& courier, const std::string& url) {
  const auto delivered = courier.deliver({"j1", url, kBody});
  return delivered ? *delivered : Delivered{.reason = delivered.error().text()};
}

std::string header(const std::string& request, const std::string& name) {
  const auto at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "(none)";
  const auto begin = at + name.size() + 4;
  return request.substr(begin, request.find("\r\n", begin) - begin);
}

TEST(Courier, PostsTheResultSigned) {
  TestReceiver receiver;
  const auto delivered = deliver(courier_for(receiver, {.secret = "s3cret", .ca_file = {}}), receiver.url());
  EXPECT_EQ(delivered.fate, Fate::kDelivered) << delivered.reason;
  EXPECT_EQ(delivered.http_status, 204);
  const auto requests = receiver.requests();
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_THAT(requests[0], AllOf(StartsWith("POST /hook?a=b HTTP/1.1\r\n"), EndsWith("\r\n\r\n" + kBody)));
  EXPECT_EQ(header(requests[0], "Content-Type"), "application/json");
  EXPECT_THAT(header(requests[0], "User-Agent"), StartsWith("outrigger/"));
  EXPECT_EQ(header(requests[0], "Outrigger-Job-Id"), "j1");
  EXPECT_EQ(header(requests[0], "Expect"), "(none)");
  const std::string timestamp = header(requests[0], "Outrigger-Timestamp");
  EXPECT_EQ(header(requests[0], "Outrigger-Signature"),
            "sha256=" + digest::hmac_sha256_hex("s3cret", timestamp + "." + kBody));
}

TEST(Courier, PutsWhereThatIsAsked) {
  TestReceiver receiver;
  const Delivery delivery{"j1", receiver.url(), kBody, true};
  EXPECT_EQ(courier_for(receiver).deliver(delivery)->fate, Fate::kDelivered);
  EXPECT_THAT(receiver.requests().at(0), AllOf(StartsWith("PUT /hook?a=b HTTP/1.1\r\n"), EndsWith(kBody)));
}

TEST(Courier, WithoutASecretDoesNotSign) {
  TestReceiver receiver;
  EXPECT_EQ(deliver(courier_for(receiver), receiver.url()).fate, Fate::kDelivered);
  EXPECT_EQ(header(receiver.requests().at(0), "Outrigger-Signature"), "(none)");
}

TEST(Courier, DeliversAResultOfMegabytes) {
  TestReceiver receiver;
  const std::string body(5'000'000, 'x');
  EXPECT_EQ(courier_for(receiver).deliver({"j1", receiver.url(), body})->fate, Fate::kDelivered);
  EXPECT_THAT(receiver.requests().at(0), EndsWith(body));
}

struct Answer {
  int status;
  Fate fate;
};

class CourierAnswer : public testing::TestWithParam<Answer> {};

TEST_P(CourierAnswer, DecidesWhatHappensNext) {
  const int status = GetParam().status;
  const TestReceiver receiver("HTTP/1.1 " + std::to_string(status) +
                              " So\r\nContent-Length: 0\r\nRetry-After: 17\r\nLocation: /elsewhere\r\n\r\n");
  const auto delivered = deliver(courier_for(receiver), receiver.url());
  EXPECT_EQ(delivered.fate, GetParam().fate);
  EXPECT_EQ(delivered.http_status, status);
  EXPECT_EQ(delivered.retry_after, GetParam().fate == Fate::kRetry ? 17s : 0s);
  EXPECT_EQ(delivered.reason.empty(), GetParam().fate == Fate::kDelivered);
}

INSTANTIATE_TEST_SUITE_P(Table, CourierAnswer,
                         testing::Values(Answer{200, Fate::kDelivered}, Answer{202, Fate::kDelivered},
                                         Answer{301, Fate::kGivenUp}, Answer{307, Fate::kGivenUp},
                                         Answer{400, Fate::kGivenUp}, Answer{401, Fate::kGivenUp},
                                         Answer{404, Fate::kGivenUp}, Answer{408, Fate::kRetry},
                                         Answer{410, Fate::kGivenUp}, Answer{425, Fate::kRetry},
                                         Answer{429, Fate::kRetry}, Answer{500, Fate::kRetry},
                                         Answer{503, Fate::kRetry}, Answer{599, Fate::kRetry}));

TEST(Courier, FollowsNoRedirect) {
  TestReceiver target;
  TestReceiver receiver("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + target.url() + "\r\n\r\n");
  const std::vector<std::string> hosts = {receiver.host_and_port(), target.host_and_port()};
  Courier courier(*UrlRules::make(hosts, std::vector<std::string>{"127.0.0.0/8"}), {});
  EXPECT_EQ(courier.deliver({"j1", receiver.url(), kBody})->fate, Fate::kGivenUp);
  EXPECT_THAT(target.requests(), IsEmpty());
}

TEST(Courier, ReadsNoMoreThanALittleOfTheAnswer) {
  const TestReceiver receiver("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + std::string(10'000'000, 'x'));
  EXPECT_EQ(deliver(courier_for(receiver), receiver.url()).fate, Fate::kDelivered);
}

TEST(Courier, ANameThatMeansLoopbackIsRefusedWithoutPermission) {
  TestReceiver receiver;
  const auto delivered = deliver(courier_for(receiver, {}, {}), receiver.url("localhost"));
  EXPECT_EQ(delivered.fate, Fate::kGivenUp);
  EXPECT_THAT(delivered.reason, HasSubstr("is loopback, and in no permitted network"));
  EXPECT_THAT(receiver.requests(), IsEmpty());
}

TEST(Courier, ANameThatMeansLoopbackIsReachedWithPermission) {
  TestReceiver receiver;
  EXPECT_EQ(deliver(courier_for(receiver), receiver.url("localhost")).fate, Fate::kDelivered);
  EXPECT_THAT(receiver.requests(), SizeIs(1));
}

TEST(Courier, AUrlThatIsNoLongerAllowedIsGivenUp) {
  TestReceiver receiver;
  const auto delivered = deliver(courier_for(receiver), "http://user:hunter2@" + receiver.host_and_port());
  EXPECT_EQ(delivered.fate, Fate::kGivenUp);
  EXPECT_THAT(delivered.reason, AllOf(HasSubstr("no user or password"), Not(HasSubstr("hunter2"))));
  EXPECT_EQ(deliver(courier_for(receiver), "http://127.0.0.1:1/").fate, Fate::kGivenUp);
  EXPECT_THAT(receiver.requests(), IsEmpty());
}

TEST(Courier, WhereNobodyListensTriesAgain) {
  std::string url;
  std::string host_and_port;
  {
    const TestReceiver gone;
    url = gone.url();
    host_and_port = gone.host_and_port();
  }
  Courier courier(*UrlRules::make(std::vector{host_and_port}, std::vector<std::string>{"127.0.0.0/8"}), {});
  const auto delivered = courier.deliver({"j1", url, kBody});
  EXPECT_EQ(delivered->fate, Fate::kRetry);
  EXPECT_EQ(delivered->http_status, 0);
  EXPECT_THAT(delivered->reason, HasSubstr("connect"));
}

TEST(Courier, AServerThatSaysNothingCostsTheTotalTimeoutAndIsTriedAgain) {
  const TestReceiver receiver("");
  const auto began = std::chrono::steady_clock::now();
  const auto delivered =
      deliver(courier_for(receiver, {.secret = {}, .ca_file = {}, .total_timeout = 200ms}), receiver.url());
  EXPECT_EQ(delivered.fate, Fate::kRetry);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
}

TEST(Courier, AnAnswerThatIsNoHttpIsTriedAgain) {
  const TestReceiver receiver("SSH-2.0-OpenSSH\r\n");
  EXPECT_EQ(deliver(courier_for(receiver), receiver.url()).fate, Fate::kRetry);
}

// The receiver answers the handshake in plain HTTP: to https it is nobody.
TEST(Courier, HttpsIsNotSpokenInPlain) {
  TestReceiver receiver;
  const auto delivered = deliver(courier_for(receiver, {.secret = {}, .ca_file = {}, .total_timeout = 500ms}),
                                 "https://" + receiver.host_and_port());
  EXPECT_EQ(delivered.fate, Fate::kRetry);
  EXPECT_THAT(receiver.requests(), IsEmpty());
}

TEST(Courier, HeedsNoProxyOfTheEnvironment) {
  TestReceiver receiver;
  TestReceiver proxy;
  for (const auto* name : {"http_proxy", "ALL_PROXY"}) ::setenv(name, ("http://" + proxy.host_and_port()).c_str(), 1);
  const auto delivered = deliver(courier_for(receiver), receiver.url());
  for (const auto* name : {"http_proxy", "ALL_PROXY"}) ::unsetenv(name);
  EXPECT_EQ(delivered.fate, Fate::kDelivered);
  EXPECT_THAT(receiver.requests(), SizeIs(1));
  EXPECT_THAT(proxy.requests(), IsEmpty());
}

}  // namespace
}  // namespace outrigger::webhook
