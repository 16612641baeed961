// What a transfer without a whole answer means for the caller. Pure.
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

// True for methods that can change something at the server, so that a lost answer leaves a doubt.
bool IsWriting(std::string_view method);

// The address without user, query and fragment, which may hold secrets.
std::string ShownUrl(std::string_view url);

// `doing` is "GET https://host/path"; it begins the message.
Error ErrorFrom(const CurlFailure& failure, std::string_view method, std::string_view doing);

// For a request given up by us because its time was over.
Error TimeoutError(bool sent, std::string_view method, std::string_view doing);

}  // namespace millwright::net
