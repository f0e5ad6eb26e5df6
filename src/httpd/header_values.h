#pragma once

#include <string_view>

namespace outrigger::httpd {

// Without the spaces and tabs around it.
std::string_view trimmed(std::string_view text);

// Whether an authority ("127.0.0.1:8080", "localhost", "[::1]:80") names this machine's loopback.
bool is_local_authority(std::string_view authority);

// "application/json", in UTF-8 if it says so.
bool is_json_media_type(std::string_view content_type);

// Whether an Accept field (RFC 9110, 12.5.1) names text/event-stream, and rather than or before application/json.
bool prefers_event_stream(std::string_view accept);

}  // namespace outrigger::httpd
