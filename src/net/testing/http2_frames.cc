#include "net/testing/http2_frames.h"

namespace millwright::net {

namespace {

std::string BigEndian(std::uint32_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    text += static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xFFU);
  }
  return text;
}

std::uint32_t FromBigEndian(std::string_view text) {
  std::uint32_t value = 0;
  for (const char c : text) value = (value << 8U) | static_cast<unsigned char>(c);
  return value;
}

// A number after HPACK's 7 bits, and a text without Huffman's code.
std::string Literal(std::string_view text) {
  std::string coded;
  if (text.size() < 127) {
    coded += static_cast<char>(text.size());
  } else {
    coded += '\x7f';
    std::size_t rest = text.size() - 127;
    for (; rest >= 128; rest /= 128) coded += static_cast<char>(0x80U | (rest % 128));
    coded += static_cast<char>(rest);
  }
  return coded + std::string(text);
}

// A field that goes into nobody's table.
std::string Field(std::string_view name, std::string_view value) {
  return std::string(1, '\0') + Literal(name) + Literal(value);
}

}  // namespace

std::string Encode(const Http2Frame& frame) {
  return BigEndian(static_cast<std::uint32_t>(frame.payload.size()), 3) + BigEndian(frame.type, 1) +
         BigEndian(frame.flags, 1) + BigEndian(frame.stream, 4) + frame.payload;
}

std::string SettingsFrame(std::uint32_t window, std::uint32_t streams) {
  constexpr std::uint32_t kMaxConcurrentStreams = 3;
  constexpr std::uint32_t kInitialWindowSize = 4;
  return Encode({.type = Http2Frame::kSettings,
                 .payload = BigEndian(kMaxConcurrentStreams, 2) + BigEndian(streams, 4) +
                            BigEndian(kInitialWindowSize, 2) + BigEndian(window, 4)});
}

std::string WindowFrame(std::uint32_t bytes) {
  return Encode({.type = Http2Frame::kWindowUpdate, .payload = BigEndian(bytes, 4)});
}

std::string HeadFrame(std::uint32_t stream, int status, const Headers& headers,
                      std::uint8_t flags) {
  std::string block = Field(":status", std::to_string(status));
  for (const auto& [name, value] : headers) block += Field(name, value);
  return Encode({.type = Http2Frame::kHeaders, .flags = flags, .stream = stream, .payload = block});
}

std::string TrailerFrame(std::uint32_t stream, const Headers& headers) {
  std::string block;
  for (const auto& [name, value] : headers) block += Field(name, value);
  return Encode({.type = Http2Frame::kHeaders,
                 .flags = Http2Frame::kEndHeaders | Http2Frame::kEndStream,
                 .stream = stream,
                 .payload = block});
}

std::string DataFrame(std::uint32_t stream, const std::string& bytes, bool last) {
  constexpr std::size_t kMaxFrame = 16384;
  std::string frames;
  std::size_t from = 0;
  do {
    const std::string part = bytes.substr(from, kMaxFrame);
    from += part.size();
    const bool ends = last && from == bytes.size();
    frames += Encode({.type = Http2Frame::kData,
                      .flags = static_cast<std::uint8_t>(ends ? Http2Frame::kEndStream : 0),
                      .stream = stream,
                      .payload = part});
  } while (from < bytes.size());
  return frames;
}

std::string AnswerFrames(std::uint32_t stream, const std::string& body) {
  return HeadFrame(stream, 200, {}) + DataFrame(stream, body, true);
}

std::string PingFrame(const std::string& payload, std::uint8_t flags) {
  return Encode({.type = Http2Frame::kPing, .flags = flags, .payload = payload});
}

std::string ResetFrame(std::uint32_t stream, Http2Frame::Code code) {
  return Encode({.type = Http2Frame::kReset, .stream = stream, .payload = BigEndian(code, 4)});
}

std::string GoAwayFrame(std::uint32_t last_stream, Http2Frame::Code code,
                        const std::string& words) {
  return Encode({.type = Http2Frame::kGoAway,
                 .payload = BigEndian(last_stream, 4) + BigEndian(code, 4) + words});
}

Task<bool> ReadHttp2Preface(LocalServer::Connection connection) {
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  co_return co_await connection->ReadExactly(preface.size()) == preface;
}

Task<std::optional<Http2Frame>> ReadHttp2Frame(LocalServer::Connection connection) {
  constexpr std::size_t kHeaderSize = 9;
  const std::string header = co_await connection->ReadExactly(kHeaderSize);
  if (header.size() < kHeaderSize) co_return std::nullopt;
  const std::string_view bytes = header;
  Http2Frame frame{.type = static_cast<std::uint8_t>(bytes[3]),
                   .flags = static_cast<std::uint8_t>(bytes[4]),
                   .stream = FromBigEndian(bytes.substr(5)) & 0x7FFFFFFFU};
  frame.payload = co_await connection->ReadExactly(FromBigEndian(bytes.substr(0, 3)));
  co_return frame;
}

Task<std::uint32_t> ReadHttp2Request(LocalServer::Connection connection) {
  while (true) {
    const auto frame = co_await ReadHttp2Frame(connection);
    if (!frame) co_return 0;
    if (frame->type == Http2Frame::kHeaders) co_return frame->stream;
  }
}

}  // namespace millwright::net
