#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>

#include "model/outcome.h"
#include "piston/runtimes.h"

// The messages of Piston's WebSocket, GET /api/v2/connect (Piston's docs/api-v2.md, "Interactive execution").
namespace outrigger::piston {

// Why it closes a connection, in its own words where it has some.
struct Closing {
  std::uint16_t code;
  std::string_view reason;
};
inline constexpr Closing kAlreadyInitialized{4000, "Already Initialized"};
inline constexpr Closing kInitializationTimeout{4001, "Initialization Timeout"};
inline constexpr Closing kNotifiedError{4002, "Notified Error"};
// Its documentation writes these two with capitals, its server does not.
inline constexpr Closing kNotYetInitialized{4003, "Not yet initialized"};
inline constexpr Closing kOnlyStdin{4004, "Can only write to stdin"};
inline constexpr Closing kInvalidSignal{4005, "Invalid signal"};
inline constexpr Closing kJobCompleted{4999, "Job Completed"};

struct Init {};  // the message is a request: parse_request()
struct Data {
  std::string stream;
  std::string data;
};
struct Signal {
  std::string name;
};
struct Other {};  // of a type that Piston does not know, and passes over
using ClientMessage = std::variant<Init, Data, Signal, Other>;

// The error is a sentence.
std::expected<ClientMessage, std::string> parse_client_message(std::string_view text);

// Whether an init names its stdin. An execute request without one reads a line break; a conversation must not.
bool has_stdin(std::string_view init);

std::string runtime_message(const Runtime& runtime);
std::string stage_message(std::string_view stage);
std::string data_message(std::string_view stream, std::string_view data);
std::string error_message(std::string_view message);
// `stage`: "compile" or "run".
std::string exit_message(std::string_view stage, const model::Outcome& outcome);
std::string exit_message(std::string_view stage, const model::CompileReport& report);

}  // namespace outrigger::piston
