#pragma once

#include <string>
#include <string_view>

namespace outrigger::digest {

// SHA-256 (FIPS 180-4) of `bytes`: 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

// HMAC-SHA-256 (RFC 2104) of `message` under `key`, of any length: 64 lower-case hexadecimal digits. Whoever compares
// one with what a stranger sent does so in constant time.
std::string hmac_sha256_hex(std::string_view key, std::string_view message);

}  // namespace outrigger::digest
