#include "net/testing/http2_peer.h"

#include <stdexcept>

namespace millwright::net {

namespace {

nghttp2_hd_inflater* NewInflater() {
  nghttp2_hd_inflater* inflater = nullptr;
  if (nghttp2_hd_inflate_new(&inflater) != 0) throw std::bad_alloc();
  return inflater;
}

std::string Text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

Http2Peer::Http2Peer(LocalServer::Connection connection)
    : connection_(std::move(connection)), inflater_(NewInflater(), nghttp2_hd_inflate_del) {}

Task<bool> Http2Peer::Greet(std::string settings) {
  const bool greeted = co_await ReadHttp2Preface(connection_);
  co_return greeted&& co_await Say(std::move(settings));
}

Task<std::optional<Http2Peer::Asked>> Http2Peer::Next() {
  while (true) {
    const auto frame = co_await NextFrame();
    if (!frame) co_return std::nullopt;
    const bool ack = (frame->flags & Http2Frame::kAck) != 0;
    if (frame->type == Http2Frame::kPing && !ack) {
      co_await Say(PingFrame(frame->payload, Http2Frame::kAck));
    }
    if (frame->type == Http2Frame::kSettings && !ack) {
      co_await Say(Encode({.type = Http2Frame::kSettings, .flags = Http2Frame::kAck}));
    }
    if (frame->type == Http2Frame::kReset) asked_.erase(frame->stream);
    if (frame->type == Http2Frame::kHeaders) TakeHead(*frame);
    if (frame->type == Http2Frame::kData) asked_[frame->stream].request.body += frame->payload;
    const bool of_request = frame->type == Http2Frame::kHeaders || frame->type == Http2Frame::kData;
    if (!of_request || (frame->flags & Http2Frame::kEndStream) == 0) continue;
    co_return std::move(asked_.extract(frame->stream).mapped());
  }
}

void Http2Peer::TakeHead(const Http2Frame& frame) {
  if ((frame.flags & Http2Frame::kEndHeaders) == 0) throw std::runtime_error("not in one frame");
  Asked& asked = asked_[frame.stream];
  asked.stream = frame.stream;
  const auto* data = reinterpret_cast<const std::uint8_t*>(frame.payload.data());
  std::size_t left = frame.payload.size();
  int flags = 0;
  while ((flags & NGHTTP2_HD_INFLATE_FINAL) == 0) {
    nghttp2_nv field{};
    const ssize_t used = nghttp2_hd_inflate_hd2(inflater_.get(), &field, &flags, data, left, 1);
    if (used < 0) throw std::runtime_error("damaged fields");
    data += used;
    left -= static_cast<std::size_t>(used);
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) == 0) continue;
    const std::string name = Text(field.name, field.namelen);
    const std::string value = Text(field.value, field.valuelen);
    if (name == ":method") asked.request.method = value;
    if (name == ":path") asked.request.target = value;
    asked.request.headers.Add(name, value);
  }
  nghttp2_hd_inflate_end_headers(inflater_.get());
}

Task<bool> Http2Peer::Answer(std::uint32_t stream, HttpResponse response) {
  return Say(HeadFrame(stream, response.status, response.headers) +
             DataFrame(stream, response.body, true));
}

}  // namespace millwright::net
