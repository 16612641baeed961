#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/testing/gzip.h"
#include "net/testing/http2_fixture.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Http2StreamTest : public Http2Fixture {
 protected:
  // Answers "/call" at once and hands all other requests to the test.
  LocalServer& ServeByHand() {
    return ServePeers([this](PeerPtr peer) { return Lend(peer, this); });
  }

  static Task<void> Lend(PeerPtr peer, Http2StreamTest* test) {
    co_await peer->Greet();
    while (const auto asked = co_await peer->Next()) {
      if (asked->request.target == "/call") {
        co_await peer->Answer(asked->stream, Text("called"));
      } else {
        test->peer_ = peer;
        test->stream_ = asked->stream;
      }
    }
    test->gone_.Open();
  }

  void Say(std::string frames) { ASSERT_TRUE(Run(peer_->Say(std::move(frames)))); }

  using StreamOutcome = std::shared_ptr<std::optional<Result<HttpStream>>>;
  StreamOutcome StartStream(Http2Client& http) {
    peer_ = nullptr;
    auto outcome = std::make_shared<std::optional<Result<HttpStream>>>();
    tasks_.Spawn([&http, outcome] { return KeepOutcome(http.Open(Get("/watch")), outcome); });
    return outcome;
  }

  // Opens a stream whose head comes at once.
  HttpStream Opened(Http2Client& http, const Headers& headers = {{"x-kind", "watch"}}) {
    const auto outcome = StartStream(http);
    RunUntil([&] { return peer_ != nullptr; });
    Say(HeadFrame(stream_, 200, headers));
    RunUntil([&] { return outcome->has_value(); });
    return **std::move(*outcome);
  }

  PeerPtr peer_;
  std::uint32_t stream_ = 0;
  Gate gone_{executor()};
};

TEST_F(Http2StreamTest, PiecesArriveAsTheyAreSent) {
  auto http = ClientAt(ServeByHand().url());
  HttpStream stream = Opened(*http);
  EXPECT_EQ(stream.status, 200);
  EXPECT_EQ(stream.headers.Find("X-Kind"), "watch");
  for (int i = 0; i < 20; ++i) {
    const std::string event = "event " + std::to_string(i) + "\n";
    Say(DataFrame(stream_, event));
    EXPECT_EQ(Run(stream.body->Read()), event);
  }
  Say(DataFrame(stream_, "", true));
  EXPECT_EQ(Run(stream.body->Read()), "");
  EXPECT_EQ(Run(stream.body->Read()), "");
}

TEST_F(Http2StreamTest, ErrorStatusIsAnAnswerToo) {
  auto& server = ServeHttp2([](const HttpRequest&, const LocalConnection&) {
    return HttpResponse{.status = 410, .headers = {}, .body = "gone"};
  });
  auto http = ClientAt(server.url());
  auto stream = Run(http->Open(Get("/")));
  ASSERT_TRUE(stream);
  EXPECT_EQ(stream->status, 410);
  EXPECT_EQ(Run(stream->body->Read()), "gone");
  EXPECT_EQ(Run(stream->body->Read()), "");
}

TEST_F(Http2StreamTest, StreamsAndCallsShareAConnection) {
  auto& server = ServeByHand();
  auto http = ClientAt(server.url());
  HttpStream stream = Opened(*http);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Run(http->Send(Get("/call")))->body, "called");
  Say(DataFrame(stream_, "event"));
  EXPECT_EQ(Run(stream.body->Read()), "event");
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(Http2StreamTest, TimeoutIsForTheHeadOnly) {
  auto http = ClientAt(ServeByHand().url());
  HttpStream stream = Opened(*http);
  for (int i = 0; i < 100; ++i) {
    clock_.Advance(29s);
    Say(DataFrame(stream_, "late"));
    EXPECT_EQ(Run(stream.body->Read()), "late");
  }
}

TEST_F(Http2StreamTest, HeadMustComeInTime) {
  auto http = ClientAt(ServeByHand().url());
  const auto outcome = StartStream(*http);
  RunUntil([&] { return peer_ != nullptr; });
  clock_.Advance(30s);
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kUnavailable);
}

Task<void> CutAfterOne(std::shared_ptr<Http2Peer> peer, bool reset) {
  co_await peer->Greet();
  const auto asked = co_await peer->Next();
  std::string frames = HeadFrame(asked->stream, 200, {}) + DataFrame(asked->stream, "one");
  if (reset) frames += ResetFrame(asked->stream, Http2Frame::kInternalError);
  co_await peer->Say(frames);
  if (reset) co_await peer->Next();
}

TEST_F(Http2StreamTest, CutStreamIsUnavailableAfterWhatHasCome) {
  for (const bool reset : {false, true}) {
    for (const auto* method : {"GET", "POST"}) {
      auto& server = ServePeers([reset](PeerPtr peer) { return CutAfterOne(peer, reset); });
      auto http = ClientAt(server.url());
      HttpRequest request = Get("/");
      request.method = method;
      auto stream = Run(http->Open(request));
      ASSERT_TRUE(stream);
      EXPECT_EQ(Run(stream->body->Read()), "one");
      const auto cut = Run(stream->body->Read());
      ASSERT_FALSE(cut);
      EXPECT_EQ(cut.error().kind(), ErrorKind::kUnavailable);
      EXPECT_THAT(cut.error().message(), HasSubstr(server.url() + "/: "));
    }
  }
}

// Reads frames until one of that type comes.
Task<bool> Until(Http2Peer* peer, Http2Frame::Type type) {
  while (const auto frame = co_await peer->NextFrame()) {
    if (frame->type == type) co_return true;
  }
  co_return false;
}

Task<void> OpenAndAwaitReset(std::shared_ptr<Http2Peer> peer, Gate* reset) {
  co_await peer->Greet();
  const auto asked = co_await peer->Next();
  co_await peer->Say(HeadFrame(asked->stream, 200, {}));
  const bool found = co_await Until(peer.get(), Http2Frame::kReset);
  if (found) reset->Open();
  co_await peer->Next();
}

TEST_F(Http2StreamTest, DroppedReaderResetsTheStreamAndNothingElse) {
  Gate reset(executor());
  auto& server = ServePeers([&](PeerPtr peer) { return OpenAndAwaitReset(peer, &reset); });
  auto http = ClientAt(server.url());
  auto stream = Run(http->Open(Get("/")));
  ASSERT_TRUE(stream);
  stream->body.reset();
  Run(reset.Wait());
  EXPECT_EQ(http->connections_open(), 1U);
}

using Piece = std::optional<Result<std::string>>;

TEST_F(Http2StreamTest, CancelledReadEndsTheExchange) {
  Gate reset(executor());
  auto& server = ServePeers([&](PeerPtr peer) { return OpenAndAwaitReset(peer, &reset); });
  auto http = ClientAt(server.url());
  auto stream = Run(http->Open(Get("/")));
  ASSERT_TRUE(stream);
  const auto piece = std::make_shared<Piece>();
  tasks_.Spawn([&] { return KeepOutcome(stream->body->Read(), piece); });
  io_.poll();
  tasks_.Cancel();
  Run(tasks_.Join());
  EXPECT_EQ((*piece)->error().kind(), ErrorKind::kCancelled);
  Run(reset.Wait());
  EXPECT_EQ(Run(stream->body->Read()).error().kind(), ErrorKind::kCancelled);
}

TEST_F(Http2StreamTest, StreamEndsWithItsClient) {
  auto http = ClientAt(ServeByHand().url());
  HttpStream stream = Opened(*http);
  const auto piece = std::make_shared<Piece>();
  tasks_.Spawn([&] { return KeepOutcome(stream.body->Read(), piece); });
  io_.poll();
  http.reset();
  Run(tasks_.Join());
  EXPECT_EQ((*piece)->error().kind(), ErrorKind::kCancelled);
  Run(gone_.Wait());
}

TEST_F(Http2StreamTest, ReaderMayGoWhileItReads) {
  auto http = ClientAt(ServeByHand().url());
  HttpStream stream = Opened(*http);
  const auto piece = std::make_shared<Piece>();
  tasks_.Spawn([&] { return KeepOutcome(stream.body->Read(), piece); });
  io_.poll();
  stream.body.reset();
  Run(tasks_.Join());
  EXPECT_EQ((*piece)->error().kind(), ErrorKind::kCancelled);
}

TEST_F(Http2StreamTest, UnreadBytesAreKeptUpToAWindow) {
  constexpr std::size_t kUnread = 100'000;
  ClientOptions options = OptionsFor(ServeByHand().url());
  options.max_unread = kUnread;
  auto http = Client(options);
  HttpStream stream = Opened(*http);
  // All that the window lets through, and then calls go on besides.
  Say(DataFrame(stream_, std::string(kUnread, 'x')));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Run(http->Send(Get("/call")))->body, "called");
  std::size_t read = 0;
  while (read < kUnread) read += Run(stream.body->Read())->size();
  EXPECT_EQ(read, kUnread);
  // The window was opened again: as much may come once more.
  EXPECT_EQ(Run(http->Send(Get("/call")))->body, "called");
  Say(DataFrame(stream_, std::string(kUnread, 'y'), true));
  while (true) {
    const auto piece = Run(stream.body->Read());
    ASSERT_TRUE(piece) << piece.error().message();
    if (piece->empty()) break;
    read += piece->size();
  }
  EXPECT_EQ(read, 2 * kUnread);
}

TEST_F(Http2StreamTest, ServerThatSendsMoreThanTheWindowIsThrownOut) {
  ClientOptions options = OptionsFor(ServeByHand().url());
  options.max_unread = 100'000;
  auto http = Client(options);
  HttpStream stream = Opened(*http);
  ASSERT_TRUE(Run(http->Send(Get("/call"))));  // by now our settings are known and in force
  Say(DataFrame(stream_, std::string(120'000, 'x')));
  while (true) {
    const auto piece = Run(stream.body->Read());
    if (piece) continue;
    EXPECT_EQ(piece.error().kind(), ErrorKind::kUnavailable);
    break;
  }
}

TEST_F(Http2StreamTest, GzipDelaysNoPiece) {
  auto http = ClientAt(ServeByHand().url());
  HttpStream stream = Opened(*http, {{"content-encoding", "gzip"}});
  EXPECT_FALSE(stream.headers.Find("Content-Encoding"));
  Deflater gzip;
  for (const auto* event : {"one", "two", "three"}) {
    Say(DataFrame(stream_, gzip.Add(event, Z_SYNC_FLUSH)));
    EXPECT_EQ(Run(stream.body->Read()), event);
  }
  Say(DataFrame(stream_, gzip.Add("", Z_FINISH), true));
  EXPECT_EQ(Run(stream.body->Read()), "");
}

TEST_F(Http2StreamTest, GzipThatGrowsALotIsDecodedAsItIsRead) {
  constexpr std::size_t kUnread = 100'000;
  ClientOptions options = OptionsFor(ServeByHand().url());
  options.max_unread = kUnread;
  auto http = Client(options);
  HttpStream stream = Opened(*http, {{"content-encoding", "gzip"}});
  const std::string plain(20'000'000, 'x');
  const std::string coded = Gzip(plain);
  ASSERT_LT(coded.size(), kUnread);
  Say(DataFrame(stream_, coded, true));
  std::string all;
  while (true) {
    const auto piece = Run(stream.body->Read());
    ASSERT_TRUE(piece) << piece.error().message();
    if (piece->empty()) break;
    ASSERT_LE(piece->size(), kUnread);
    all += *piece;
  }
  EXPECT_TRUE(all == plain);
}

TEST_F(Http2StreamTest, DamagedGzipIsUnavailableAfterWhatWasWhole) {
  for (const bool cut : {false, true}) {
    auto& server = ServeByHand();
    auto http = ClientAt(server.url());
    HttpStream stream = Opened(*http, {{"content-encoding", "gzip"}});
    Deflater gzip;
    Say(DataFrame(stream_, gzip.Add("one", Z_SYNC_FLUSH)));
    EXPECT_EQ(Run(stream.body->Read()), "one");
    Say(DataFrame(stream_, cut ? "" : "\xff\xff\xff\xff", cut));
    const auto piece = Run(stream.body->Read());
    ASSERT_FALSE(piece);
    EXPECT_EQ(piece.error().kind(), ErrorKind::kUnavailable) << piece.error().message();
    EXPECT_EQ(Run(http->Send(Get("/call")))->body, "called");
  }
}

TEST_F(Http2StreamTest, StreamsDoNotTakeTheRoomOfCalls) {
  // One stream at a time on a connection, and one connection for calls.
  auto& server = ServePeers([](PeerPtr peer) {
    return [](PeerPtr self) -> Task<void> {
      co_await self->Greet(SettingsFrame(1U << 20U, 1));
      while (const auto asked = co_await self->Next()) {
        const bool call = asked->request.target == "/call";
        const std::string head = HeadFrame(asked->stream, 200, {});
        co_await self->Say(call ? AnswerFrames(asked->stream, "called") : head);
      }
    }(peer);
  });
  ClientOptions options = OptionsFor(server.url());
  options.max_connections = 1;
  auto http = Client(options);
  ASSERT_TRUE(Run(http->Send(Get("/call"))));
  std::vector<HttpStream> streams;
  for (int i = 0; i < 3; ++i) {
    auto stream = Run(http->Open(Get("/watch")));
    ASSERT_TRUE(stream) << stream.error().message();
    streams.push_back(*std::move(stream));
    EXPECT_EQ(Run(http->Send(Get("/call")))->body, "called");
  }
}

}  // namespace
}  // namespace millwright::net
