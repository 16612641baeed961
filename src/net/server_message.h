// Answers as bytes. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/time.h"
#include "net/http.h"

namespace millwright::net {

// How the client finds the end of an answer.
struct Framing {
  enum class Body {
    kLength,      // Content-Length
    kChunked,     // each piece with its length
    kUntilClose,  // by the end of the connection: streams to HTTP/1.0
  };

  Body body = Body::kLength;
  std::size_t length = 0;
  bool http_1_0 = false;
  bool keep_alive = true;
};

// Status line and fields with the empty line after them. Of the answer's own fields, those that
// frame it are left out, as are ones with impossible names; line breaks in values become blanks, so
// that no value can add a field.
std::string ComposeHead(const HttpResponse& response, const Framing& framing, WallTime now);

// False for answers that never have a body, whatever the handler put there.
bool MayHaveBody(int status);

// An answer of the server's own: one line of plain text.
HttpResponse PlainAnswer(int status, std::string_view text);

std::string ComposeChunk(std::string piece);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";
inline constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// "Thu, 01 Jan 2026 00:00:00 GMT" (RFC 9110, 5.6.7).
std::string FormatHttpDate(WallTime time);

}  // namespace millwright::net
