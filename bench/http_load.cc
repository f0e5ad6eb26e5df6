// Sends one request again and again over keep-alive connections, one a thread, and reads each answer whole.
//
// http_load PORT METHOD PATH BODY_FILE STATUS TEXT
//   STATUS   what every answer must have, and
//   TEXT     what every answer's body must contain: an answer of another kind is a failed round, never a fast one

#include <charconv>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <span>
#include <string>

#include "http_connection.h"
#include "rounds.h"

namespace outrigger::bench {
namespace {

struct Options {
  std::uint16_t port = 0;
  std::string request;
  int status = 0;
  std::string text;
};

base::Result<Nanoseconds> one_round(HttpConnection& connection, const Options& options) {
  const auto begin = Clock::now();
  const auto answer = connection.exchange(options.request);
  const Nanoseconds took = Clock::now() - begin;
  if (!answer) return std::unexpected(answer.error());
  if (answer->status != options.status || answer->body.find(options.text) == std::string::npos) {
    return base::failure(base::Code::kInternal, "answer", std::to_string(answer->status) + " " + answer->body);
  }
  return took;
}

base::Result<Round> make_round(const Options& options) {
  auto connection = HttpConnection::open(options.port);
  if (!connection) return std::unexpected(connection.error());
  const auto shared = std::make_shared<HttpConnection>(std::move(*connection));
  return Round([shared, &options] { return one_round(*shared, options); });
}

template <typename T>
bool parse_number(const std::string& text, T& value) {
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

int run(std::span<char*> arguments) {
  Options options;
  if (arguments.size() != 7 || !parse_number(arguments[1], options.port) ||
      !parse_number(arguments[5], options.status)) {
    std::cerr << "usage: http_load PORT METHOD PATH BODY_FILE STATUS TEXT\n";
    return 2;
  }
  std::ifstream file(arguments[4], std::ios::binary);
  if (!file) {
    std::cerr << "cannot read " << arguments[4] << '\n';
    return 2;
  }
  const std::string body((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  options.request = http_request(arguments[2], arguments[3], body);
  options.text = arguments[6];
  return serve(RoundMaker([&options] { return make_round(options); }));
}

}  // namespace
}  // namespace outrigger::bench

int main(int argc, char** argv) { return outrigger::bench::run({argv, static_cast<std::size_t>(argc)}); }
