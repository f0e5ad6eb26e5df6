#pragma once

#include "httpd/message.h"

namespace outrigger::api {

using httpd::Header;
using httpd::RequestHead;
using httpd::Response;
using httpd::same_token;

}  // namespace outrigger::api
