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
    kPing = 6,
    kGoAway = 7,
    kWindowUpdate = 8,
    kContinuation = 9,
  };
  enum Flag : std::uint8_t { kEndStream = 1, kAck = 1, kEndHeaders = 4 };
  enum Code : std::uint8_t {
    kNoError = 0,
    kInternalError = 2,
    kRefusedStream = 7,
    kCancel = 8,
    kEnhanceYourCalm = 11,
    kHttp11Required = 13,
  };

  std::uint8_t type = kData;
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;
  std::string payload{};
};

std::string Encode(const Http2Frame& frame);

// `streams`: how many the server takes at a time.
std::string SettingsFrame(std::uint32_t window, std::uint32_t streams = 100);
std::string WindowFrame(std::uint32_t bytes);
std::string HeadFrame(std::uint32_t stream, int status, const Headers& headers,
                      std::uint8_t flags = Http2Frame::kEndHeaders);
std::string TrailerFrame(std::uint32_t stream, const Headers& headers);  // ends the stream
std::string DataFrame(std::uint32_t stream, const std::string& bytes, bool last = false);
std::string AnswerFrames(std::uint32_t stream, const std::string& body);  // 200
std::string PingFrame(const std::string& payload, std::uint8_t flags);
std::string ResetFrame(std::uint32_t stream, Http2Frame::Code code);
std::string GoAwayFrame(std::uint32_t last_stream, Http2Frame::Code code = Http2Frame::kNoError,
                        const std::string& words = "");

// Reads what a client says first.
Task<bool> ReadHttp2Preface(LocalServer::Connection connection);

// None when the client has gone.
Task<std::optional<Http2Frame>> ReadHttp2Frame(LocalServer::Connection connection);

// Skips to the next request's head and returns its stream; 0 when the client has gone.
Task<std::uint32_t> ReadHttp2Request(LocalServer::Connection connection);

}  // namespace millwright::net
