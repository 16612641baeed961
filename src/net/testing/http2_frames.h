// As much of HTTP/2 as it takes to misbehave in a test: frames, written and read by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "net/testing/local_server.h"

namespace millwright::net {

struct Http2Frame {
  enum Type : std::uint8_t {
    kData = 0,
    kHeaders = 1,
    kReset = 3,
    kSettings = 4,
    kGoAway = 7,
    kWindowUpdate = 8,
  };
  enum Flag : std::uint8_t { kEndStream = 1, kAck = 1, kEndHeaders = 4 };
  enum Code : std::uint8_t { kNoError = 0, kInternalError = 2, kRefusedStream = 7 };

  std::uint8_t type = kData;
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;
  std::string payload{};
};

std::string Encode(const Http2Frame& frame);

std::string SettingsFrame(std::uint32_t window);
std::string WindowFrame(std::uint32_t bytes);
std::string AnswerFrames(std::uint32_t stream, const std::string& body);  // 200
std::string ResetFrame(std::uint32_t stream, Http2Frame::Code code);
std::string GoAwayFrame(std::uint32_t last_stream);

// Reads what a client says first.
Task<bool> ReadHttp2Preface(LocalServer::Connection connection);

// None when the client has gone.
Task<std::optional<Http2Frame>> ReadHttp2Frame(LocalServer::Connection connection);

// Skips to the next request's head and returns its stream; 0 when the client has gone.
Task<std::uint32_t> ReadHttp2Request(LocalServer::Connection connection);

}  // namespace millwright::net
