// What libcurl says about a transfer that failed, in terms of what the caller can do. Pure.
#pragma once

#include <curl/curl.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::net {

// Everything that is known about a transfer that failed.
struct CurlFailure {
  CURLcode code = CURLE_OK;
  std::string detail;      // libcurl's own words, may be empty
  long verify_result = 0;  // OpenSSL's verdict on the server's certificate
  bool sent = false;       // some of the request may have reached the server
};

// `doing` is "GET https://host/path"; it begins the message.
Error ErrorFrom(const CurlFailure& failure, std::string_view method, std::string_view doing);

}  // namespace millwright::net
