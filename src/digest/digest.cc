#include "digest/digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstddef>
#include <limits>
#include <new>
#include <stdexcept>

namespace outrigger::digest {
namespace {

constexpr std::size_t kSha256Bytes = 32;
using Digest = std::array<unsigned char, kSha256Bytes>;

std::string to_hex(const Digest& digest) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(digest.size() * 2);
  for (const unsigned char byte : digest) {
    out += kHex.at(byte >> 4);
    out += kHex.at(byte & 0xf);
  }
  return out;
}

// libcrypto takes unsigned bytes, and nothing else reads them.
const unsigned char* unsigned_bytes(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Digest digest{};
  // It can fail only for want of memory.
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc();
  return to_hex(digest);
}

std::string hmac_sha256_hex(std::string_view key, std::string_view message) {
  if (key.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) throw std::length_error("HMAC key");
  Digest digest{};
  // A null key means "the key of before" to libcrypto, so an empty one still needs an address.
  const char* key_bytes = key.empty() ? "" : key.data();
  if (HMAC(EVP_sha256(), key_bytes, static_cast<int>(key.size()), unsigned_bytes(message), message.size(),
           digest.data(), nullptr) == nullptr) {
    throw std::bad_alloc();
  }
  return to_hex(digest);
}

}  // namespace outrigger::digest
