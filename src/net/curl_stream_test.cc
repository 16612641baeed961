#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/testing/curl_fixture.h"
#include "net/testing/gzip.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string Chunk(const std::string& text) {
  std::string size(16, '\0');
  size.resize(static_cast<std::size_t>(snprintf(size.data(), size.size(), "%zx", text.size())));
  return size + "\r\n" + text + "\r\n";
}

const std::string kHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Kind: watch\r\n\r\n";

class CurlStreamTest : public CurlFixture {
 protected:
  // Reads one request and hands the connection to the test, until the test is over.
  LocalServer& ServeByHand() {
    return Serve([this](Connection connection) { return Lend(connection, this); });
  }

  static Task<void> Lend(Connection connection, CurlStreamTest* test) {
    co_await connection->ReadRequest();
    test->peer_ = connection;
    test->asked_.Open();
    co_await test->over_.Wait();
  }

  void Say(std::string bytes) { ASSERT_TRUE(Run(peer_->Write(std::move(bytes)))); }

  // Opens a stream whose head comes at once.
  HttpStream Opened(CurlHttp& http) {
    const auto outcome = std::make_shared<std::optional<Result<HttpStream>>>();
    tasks_.Spawn([&] { return KeepOutcome(http.Open(Get("/watch")), outcome); });
    Run(asked_.Wait());
    Say(kHead);
    RunUntil([&] { return outcome->has_value(); });
    return **std::move(*outcome);
  }

  std::shared_ptr<LocalConnection> peer_;
  Gate asked_{executor()};
  Gate over_{executor()};
};

TEST_F(CurlStreamTest, PiecesArriveAsTheyAreSent) {
  auto http = ClientOf(ServeByHand());
  HttpStream stream = Opened(*http);
  EXPECT_EQ(stream.status, 200);
  EXPECT_EQ(stream.headers.Find("X-Kind"), "watch");
  for (int i = 0; i < 20; ++i) {
    const std::string event = "event " + std::to_string(i) + "\n";
    Say(Chunk(event));
    EXPECT_EQ(Run(stream.body->Read()), event);
  }
  Say("0\r\n\r\n");
  EXPECT_EQ(Run(stream.body->Read()), "");
  EXPECT_EQ(Run(stream.body->Read()), "");
}

TEST_F(CurlStreamTest, ErrorStatusIsAnAnswerToo) {
  auto& server = ServeAnswers([](const HttpRequest&, const LocalConnection&) {
    return HttpResponse{.status = 410, .headers = {}, .body = "gone"};
  });
  auto http = ClientOf(server);
  auto stream = Run(http->Open(Get("/")));
  ASSERT_TRUE(stream);
  EXPECT_EQ(stream->status, 410);
  EXPECT_EQ(Run(stream->body->Read()), "gone");
  EXPECT_EQ(Run(stream->body->Read()), "");
}

TEST_F(CurlStreamTest, TimeoutIsForTheHeadOnly) {
  auto http = ClientOf(ServeByHand());
  HttpStream stream = Opened(*http);
  EXPECT_FALSE(clock_.has_sleepers());
  clock_.Advance(24h);
  Say(Chunk("late"));
  EXPECT_EQ(Run(stream.body->Read()), "late");
}

TEST_F(CurlStreamTest, HeadMustComeInTime) {
  auto http = ClientOf(ServeByHand());
  const auto outcome = std::make_shared<std::optional<Result<HttpStream>>>();
  tasks_.Spawn([&] { return KeepOutcome(http->Open(Get("/")), outcome); });
  Run(asked_.Wait());
  clock_.Advance(30s);
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(Run(peer_->ReadSome()), "");
}

TEST_F(CurlStreamTest, CutStreamIsUnavailableAfterWhatHasCome) {
  for (const auto* method : {"GET", "POST"}) {
    auto& server = Serve([](Connection connection) {
      return [](Connection peer) -> Task<void> {
        co_await peer->ReadRequest();
        co_await peer->Write(kHead + Chunk("one"));
      }(connection);
    });
    auto http = ClientOf(server);
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

TEST_F(CurlStreamTest, DroppedReaderEndsTheExchange) {
  auto http = ClientOf(ServeByHand());
  HttpStream stream = Opened(*http);
  stream.body.reset();
  EXPECT_EQ(Run(peer_->ReadSome()), "");
}

Task<void> ReadInto(BodyReader* reader, std::optional<Result<std::string>>* outcome) {
  outcome->emplace(co_await reader->Read());
}

TEST_F(CurlStreamTest, CancelledReadEndsTheExchange) {
  auto http = ClientOf(ServeByHand());
  HttpStream stream = Opened(*http);
  std::optional<Result<std::string>> piece;
  tasks_.Spawn([&] { return ReadInto(stream.body.get(), &piece); });
  io_.poll();
  tasks_.Cancel();
  Run(tasks_.Join());
  EXPECT_EQ(piece->error().kind(), ErrorKind::kCancelled);
  EXPECT_EQ(Run(peer_->ReadSome()), "");
  EXPECT_EQ(Run(stream.body->Read()).error().kind(), ErrorKind::kCancelled);
}

TEST_F(CurlStreamTest, StreamEndsWithItsClient) {
  auto http = ClientOf(ServeByHand());
  HttpStream stream = Opened(*http);
  std::optional<Result<std::string>> piece;
  tasks_.Spawn([&] { return ReadInto(stream.body.get(), &piece); });
  io_.poll();
  http.reset();
  Run(tasks_.Join());
  EXPECT_EQ(piece->error().kind(), ErrorKind::kCancelled);
  EXPECT_EQ(Run(peer_->ReadSome()), "");
}

TEST_F(CurlStreamTest, ReaderMayGoWhileItReads) {
  auto http = ClientOf(ServeByHand());
  HttpStream stream = Opened(*http);
  std::optional<Result<std::string>> piece;
  tasks_.Spawn([&] { return ReadInto(stream.body.get(), &piece); });
  io_.poll();
  stream.body.reset();
  Run(tasks_.Join());
  EXPECT_EQ(piece->error().kind(), ErrorKind::kCancelled);
}

Task<void> Flood(LocalServer::Connection connection, std::size_t total, std::size_t* written) {
  co_await connection->ReadRequest();
  co_await connection->Write("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(total) +
                             "\r\n\r\n");
  while (*written < total) {
    std::string piece(100'000, '\0');
    for (std::size_t i = 0; i < piece.size(); ++i) {
      piece[i] = static_cast<char>((*written + i) % 251);
    }
    if (!co_await connection->Write(std::move(piece))) co_return;
    *written += 100'000;
  }
}

TEST_F(CurlStreamTest, SlowReaderMakesTheServerWait) {
  constexpr std::size_t kTotal = 200'000'000;
  constexpr std::size_t kUnread = 1U << 20U;
  std::size_t written = 0;
  auto& server = Serve([&](Connection connection) { return Flood(connection, kTotal, &written); });
  auto http = ClientOf(server);
  auto stream = Run(http->Open(Get("/")));
  ASSERT_TRUE(stream);
  // Everything that can move has moved, and the rest waits in the server.
  while (io_.poll() > 0) {
  }
  EXPECT_LT(written, kTotal / 2);

  std::size_t read = 0;
  bool in_order = true;
  while (true) {
    const auto piece = Run(stream->body->Read());
    ASSERT_TRUE(piece) << piece.error().message();
    if (piece->empty()) break;
    ASSERT_LE(piece->size(), kUnread);
    in_order = in_order && static_cast<unsigned char>(piece->front()) == read % 251;
    read += piece->size();
  }
  EXPECT_EQ(read, kTotal);
  EXPECT_TRUE(in_order);
}

TEST_F(CurlStreamTest, PausedStreamHoldsUpNobodyElse) {
  std::size_t written = 0;
  auto& flood =
      Serve([&](Connection connection) { return Flood(connection, 200'000'000, &written); });
  auto& calm = ServeAnswers([](const HttpRequest&, const LocalConnection&) { return Text("ok"); });
  auto http = Client({.proxy = ""});
  auto stream = Run(http->Open(Get(flood.url() + "/")));
  ASSERT_TRUE(stream);
  while (io_.poll() > 0) {
  }
  EXPECT_EQ(Run(http->Send(Get(calm.url() + "/")))->body, "ok");
  auto other = Run(http->Open(Get(calm.url() + "/")));
  ASSERT_TRUE(other);
  EXPECT_EQ(Run(other->body->Read()), "ok");
}

TEST_F(CurlStreamTest, GzipDelaysNoPiece) {
  auto http = ClientOf(ServeByHand());
  const auto outcome = std::make_shared<std::optional<Result<HttpStream>>>();
  tasks_.Spawn([&] { return KeepOutcome(http->Open(Get("/watch")), outcome); });
  Run(asked_.Wait());
  Say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n");
  RunUntil([&] { return outcome->has_value(); });
  HttpStream stream = **std::move(*outcome);
  EXPECT_FALSE(stream.headers.Find("Content-Encoding"));
  Deflater gzip;
  for (const auto* event : {"one", "two", "three"}) {
    Say(Chunk(gzip.Add(event, Z_SYNC_FLUSH)));
    EXPECT_EQ(Run(stream.body->Read()), event);
  }
  Say(Chunk(gzip.Add("", Z_FINISH)) + "0\r\n\r\n");
  EXPECT_EQ(Run(stream.body->Read()), "");
}

TEST_F(CurlStreamTest, StreamsComeOnTopOfTheConnectionLimit) {
  auto& server = ServeByHand();
  auto http = Client({.base_url = server.url(), .proxy = "", .max_connections = 1});
  std::vector<std::shared_ptr<std::optional<Result<HttpStream>>>> outcomes;
  for (int i = 0; i < 5; ++i) {
    outcomes.push_back(std::make_shared<std::optional<Result<HttpStream>>>());
    tasks_.Spawn([&http, outcome = outcomes.back()] {
      return KeepOutcome(http->Open(Get("/watch")), outcome);
    });
  }
  RunUntil([&] { return server.accepted() == 5; });
  tasks_.Cancel();
  Run(tasks_.Join());
}

}  // namespace
}  // namespace millwright::net
