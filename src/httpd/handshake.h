#pragma once

#include "httpd/message.h"

namespace outrigger::httpd {

// How a request stands to WebSockets (RFC 6455, 4.2.1).
enum class Handshake {
  kGood,
  kNotAsked,      // it asks for no WebSocket
  kOtherVersion,  // for one of another version than 13, the only one there is
  kBroken,        // for one, but not as it must be done
};
Handshake handshake_of(const RequestHead& head);

}  // namespace outrigger::httpd
