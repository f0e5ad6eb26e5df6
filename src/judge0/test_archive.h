#pragma once

#include <string_view>

namespace outrigger::judge0 {

// Archives as python's zipfile makes them, in base64. The first: a directory lib/, lib/util.py ("x = 1\n", stored,
// 0644), tool.sh ("echo hello hello hello hello\n", deflated, 0755).
inline constexpr std::string_view kGoodZip =
    "UEsDBBQAAAAIAAAAIVgAAAAAAgAAAAAAAAAEAAAAbGliLwMAUEsDBBQAAAAAAAAAIVg7ifaLBgAAAAYAAAALAAAAbGliL3V0aWwucHl4ID0gMQpQ"
    "SwMEFAAAAAgAAAAhWEkZ6cQOAAAAHQAAAAcAAAB0b29sLnNoS03OyFfISM3JwUJyAQBQSwECFAMUAAAACAAAACFYAAAAAAIAAAAAAAAABAAAAAAA"
    "AAAAAAAA7UEAAAAAbGliL1BLAQIUAxQAAAAAAAAAIVg7ifaLBgAAAAYAAAALAAAAAAAAAAAAAACkgSQAAABsaWIvdXRpbC5weVBLAQIUAxQAAAAI"
    "AAAAIVhJGenEDgAAAB0AAAAHAAAAAAAAAAAAAADtgVMAAAB0b29sLnNoUEsFBgAAAAADAAMAoAAAAIYAAAAAAA==";
// A symbolic link to /etc/passwd.
inline constexpr std::string_view kLinkZip =
    "UEsDBBQAAAAAAAAAIVgKuR8pCwAAAAsAAAAEAAAAbGluay9ldGMvcGFzc3dkUEsBAhQDFAAAAAAAAAAhWAq5HykLAAAACwAAAAQAAAAAAAAAAAAA"
    "AP+hAAAAAGxpbmtQSwUGAAAAAAEAAQAyAAAALQAAAAAA";

}  // namespace outrigger::judge0
