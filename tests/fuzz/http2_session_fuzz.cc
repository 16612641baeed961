// Bytes of an HTTP/2 server that means no good, to a session with a call and a stream under way:
// the exchanges may fail in any way but must not keep more than their limits.
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/system_clock.h"
#include "net/http2_pool.h"
#include "net/http2_session.h"
#include "net/tls_client.h"

namespace millwright::net {
namespace {

constexpr std::size_t kLimit = 100'000;

// Never connects; exchanges only need somebody to leave.
std::shared_ptr<Http2Pool> IdlePool() {
  static boost::asio::io_context loop(1);
  static SystemClock clock(loop.get_executor());
  static const auto pool = std::make_shared<Http2Pool>(
      loop.get_executor(), clock, Http2Pool::Settings{.endpoint = {.scheme = "https", .host = "h"}},
      TlsConfig{}, *MakeClientContext({.insecure_skip_verify = true}));
  return pool;
}

Http2Exchange MakeExchange(Exchange::Body body) {
  static const auto request =
      *MakeHttp2Request({.method = "GET", .target = "/"}, {.scheme = "https"}, "fuzz");
  return {IdlePool(), request, body, {.answer = kLimit, .unread = kLimit}};
}

void Play(std::string_view bytes) {
  Http2Session session({.stream_window = kLimit, .assumed_streams = 100});
  Http2Exchange call = MakeExchange(Exchange::Body::kWhole);
  Http2Exchange stream = MakeExchange(Exchange::Body::kPieces);
  session.Submit(call);
  session.Submit(stream);
  std::string sent;
  const std::string_view settings("\0\0\0\4\0\0\0\0\0", 9);
  bool alive = session.Pull(sent, kLimit) && session.Receive(settings);
  while (alive && !bytes.empty()) {
    const std::string_view piece = bytes.substr(0, 200);
    bytes.remove_prefix(piece.size());
    sent.clear();
    alive = session.Receive(piece) && session.Pull(sent, kLimit);
    // Somebody reads now and then.
    const bool reads = piece.front() % 2 == 0;
    while (reads && stream.has_piece()) {
      if (stream.TakePiece().size() > kLimit) std::abort();
    }
  }
  for (Http2Exchange* left : session.Abandon()) left->OnClosed();
  if (call.ended() && !call.failure() && call.TakeAnswer().body.size() > kLimit) std::abort();
}

}  // namespace
}  // namespace millwright::net

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  millwright::net::Play(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
