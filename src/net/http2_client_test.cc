#include "net/http2_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/testing/gzip.h"
#include "net/testing/http2_fixture.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

class Http2ClientTest : public Http2Fixture {
 protected:
  // Hears requests and neither answers nor goes; notes which streams are reset.
  LocalServer& ServeSilence() {
    return ServePeers([this](PeerPtr peer) { return StaySilent(peer, this); });
  }

  static Task<void> StaySilent(PeerPtr peer, Http2ClientTest* test) {
    co_await peer->Greet();
    while (const auto frame = co_await peer->NextFrame()) {
      if (frame->type == Http2Frame::kHeaders) test->asked_.Open();
      if (frame->type == Http2Frame::kReset) test->reset_.Open();
    }
    test->gone_.Open();
  }

  Gate asked_{executor()};
  Gate reset_{executor()};
  Gate gone_{executor()};
};

TEST_F(Http2ClientTest, CarriesTheWholeRequestAndTheWholeAnswer) {
  HttpRequest seen;
  auto& server = ServeHttp2([&](const HttpRequest& request, const LocalConnection&) {
    seen = request;
    return HttpResponse{.status = 201, .headers = {{"x-answer", "yes"}}, .body = "made"};
  });
  auto http = ClientAt(server.url());
  HttpRequest request = Post("/things?dry=1", "{\"a\":1}");
  request.headers = {{"Content-Type", "application/json"},
                     {"X-Empty", ""},
                     {"X-Blank", " v "},
                     {"Connection", "close"},
                     {"Transfer-Encoding", "chunked"}};
  const auto answer = Run(http->Send(request));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->headers.Find("X-Answer"), "yes");
  EXPECT_FALSE(answer->headers.Find(":status"));
  EXPECT_EQ(answer->body, "made");
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.target, "/things?dry=1");
  EXPECT_EQ(seen.body, "{\"a\":1}");
  EXPECT_EQ(seen.headers.Find(":authority"), server.address());
  EXPECT_EQ(seen.headers.Find(":scheme"), "https");
  EXPECT_EQ(seen.headers.Find("content-type"), "application/json");
  EXPECT_EQ(seen.headers.Find("content-length"), "7");
  EXPECT_EQ(seen.headers.Find("user-agent"), "millwright");
  EXPECT_EQ(seen.headers.Find("x-empty"), "");
  EXPECT_EQ(seen.headers.Find("x-blank"), "v");
  EXPECT_FALSE(seen.headers.Find("connection"));
  EXPECT_FALSE(seen.headers.Find("transfer-encoding"));
}

TEST_F(Http2ClientTest, SendsEveryMethodAsItIs) {
  std::vector<std::string> seen;
  auto& server = ServeHttp2([&](const HttpRequest& request, const LocalConnection&) {
    seen.push_back(request.method + " " + request.body + " " +
                   std::string(request.headers.Find("content-length").value_or("-")));
    return Text("");
  });
  auto http = ClientAt(server.url());
  for (const auto* method : {"GET", "DELETE", "POST", "PUT", "PATCH", "OPTIONS"}) {
    for (const auto* body : {"", "b"}) {
      HttpRequest request = Post("/", body);
      request.method = method;
      ASSERT_TRUE(Run(http->Send(request)));
    }
  }
  EXPECT_THAT(seen, testing::ElementsAre("GET  -", "GET b 1", "DELETE  -", "DELETE b 1", "POST  0",
                                         "POST b 1", "PUT  0", "PUT b 1", "PATCH  0", "PATCH b 1",
                                         "OPTIONS  -", "OPTIONS b 1"));
}

TEST_F(Http2ClientTest, AnswerToHeadHasNoBody) {
  auto& server = ServePeers([](PeerPtr peer) {
    return [](PeerPtr self) -> Task<void> {
      co_await self->Greet();
      while (const auto asked = co_await self->Next()) {
        co_await self->Say(HeadFrame(asked->stream, 200,
                                     {{"content-length", "5"}, {"content-encoding", "gzip"}},
                                     Http2Frame::kEndHeaders | Http2Frame::kEndStream));
      }
    }(peer);
  });
  auto http = ClientAt(server.url());
  HttpRequest request = Get("/");
  request.method = "HEAD";
  request.headers = {{"Accept-Encoding", "gzip"}};
  const auto answer = Run(http->Send(request));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->headers.Find("Content-Length"), "5");
  EXPECT_EQ(answer->body, "");
  request.headers = {};
  EXPECT_TRUE(Run(http->Send(request)));
}

TEST_F(Http2ClientTest, OnlyTheFinalHeadCounts) {
  auto& server = ServePeers([](PeerPtr peer) {
    return [](PeerPtr self) -> Task<void> {
      co_await self->Greet();
      while (const auto asked = co_await self->Next()) {
        co_await self->Say(HeadFrame(asked->stream, 103, {{"x-early", "1"}}) +
                           HeadFrame(asked->stream, 200, {{"x-final", "1"}}) +
                           DataFrame(asked->stream, "ok") +
                           TrailerFrame(asked->stream, {{"x-trailer", "1"}}));
      }
    }(peer);
  });
  auto http = ClientAt(server.url());
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "ok");
  EXPECT_TRUE(answer->headers.Find("X-Final"));
  EXPECT_FALSE(answer->headers.Find("X-Early"));
  EXPECT_FALSE(answer->headers.Find("X-Trailer"));
}

TEST_F(Http2ClientTest, PathIsSentAsItIs) {
  std::vector<std::string> seen;
  auto& server = ServeHttp2([&](const HttpRequest& request, const LocalConnection&) {
    seen.push_back(request.target);
    return Text("");
  });
  auto http = ClientAt(server.url() + "/base/");
  ASSERT_TRUE(Run(http->Send(Get("/a/../b/./c%2Fd"))));
  ASSERT_TRUE(Run(http->Send(Get("?x=1"))));
  auto bare = ClientAt(server.url());
  ASSERT_TRUE(Run(bare->Send(Get(""))));
  EXPECT_THAT(seen, testing::ElementsAre("/base/a/../b/./c%2Fd", "/base?x=1", "/"));
  EXPECT_EQ(Run(bare->Send(Get("x"))).error().kind(), ErrorKind::kInvalid);
}

TEST_F(Http2ClientTest, AsksForTheAuthorizationEachTime) {
  std::vector<std::string> seen;
  auto& server = ServeHttp2([&](const HttpRequest& request, const LocalConnection&) {
    seen.emplace_back(request.headers.Find("authorization").value_or("-"));
    return Text("");
  });
  int asked = 0;
  ClientOptions options = OptionsFor(server.url());
  options.authorization = [&asked] {
    return [](int number) -> Task<Result<SecretText>> {
      if (number == 3) co_return Fail(ErrorKind::kUnauthenticated, "no token");
      if (number == 4) co_return SecretText("Bearer a\r\nX-Evil: 1");
      co_return number == 2 ? SecretText() : SecretText("Bearer " + std::to_string(number));
    }(++asked);
  };
  auto http = Client(options);
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  EXPECT_EQ(Run(http->Send(Get("/"))).error().kind(), ErrorKind::kUnauthenticated);
  EXPECT_EQ(Run(http->Send(Get("/"))).error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(seen, testing::ElementsAre("Bearer 1", "-"));
}

TEST_F(Http2ClientTest, RefusesWhatCannotBeSentSafely) {
  auto http = ClientAt("https://127.0.0.1:1");
  const auto kind = [&](HttpRequest request) { return Run(http->Send(request)).error().kind(); };
  EXPECT_EQ(kind(Get("/a b")), ErrorKind::kInvalid);
  HttpRequest request = Get("/");
  request.method = "GET / HTTP/1.1\r\nX: ";
  EXPECT_EQ(kind(request), ErrorKind::kInvalid);
  request = Get("/");
  request.headers = {{"X", "a\nEvil: 1"}};
  EXPECT_EQ(kind(request), ErrorKind::kInvalid);
  request.headers = {{"X", std::string(2'000'000, 'x')}};
  EXPECT_EQ(kind(request), ErrorKind::kInvalid);
}

TEST_F(Http2ClientTest, LargeHeadsAreSentInSeveralFrames) {
  auto& server = ServePeers([](PeerPtr peer) {
    return [](PeerPtr self) -> Task<void> {
      co_await self->Greet();
      std::size_t size = 0;
      while (const auto frame = co_await self->NextFrame()) {
        const bool of_head =
            frame->type == Http2Frame::kHeaders || frame->type == Http2Frame::kContinuation;
        if (!of_head) continue;
        size += frame->payload.size();
        if ((frame->flags & Http2Frame::kEndHeaders) == 0) continue;
        co_await self->Answer(frame->stream, Text(size > 100'000 ? "large" : "small"));
      }
    }(peer);
  });
  auto http = ClientAt(server.url());
  HttpRequest request = Get("/");
  // Characters that Huffman's code makes longer.
  request.headers = {{"X", std::string(100'000, '{')}};
  const auto answer = Run(http->Send(request));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, "large");
}

TEST_F(Http2ClientTest, RefusesToStartWithAnAddressThatCannotWork) {
  for (const auto* url : {"", "host:6443", "http://host", "https://ho st"}) {
    const auto http = Http2Client::Create(executor(), clock_, OptionsFor(url));
    ASSERT_FALSE(http) << url;
    EXPECT_EQ(http.error().kind(), ErrorKind::kInvalid);
  }
}

TEST_F(Http2ClientTest, AnswerHasALimitAlsoWhenItIsCoded) {
  auto& server = ServeHttp2([](const HttpRequest& request, const LocalConnection&) {
    const std::string body(request.target.contains("small") ? 1000 : 1001, 'x');
    if (!request.target.contains("gzip")) return Text(body);
    return HttpResponse{
        .status = 200, .headers = {{"content-encoding", "gzip"}}, .body = Gzip(body)};
  });
  ClientOptions options = OptionsFor(server.url());
  options.max_answer = 1000;
  auto http = Client(options);
  for (const std::string coding : {"/plain", "/gzip"}) {
    EXPECT_EQ(Run(http->Send(Get(coding + "-small")))->body.size(), 1000U);
    EXPECT_EQ(Run(http->Send(Get(coding + "-large"))).error().kind(), ErrorKind::kInvalid);
    EXPECT_EQ(Run(http->Send(Post(coding + "-large", ""))).error().kind(), ErrorKind::kInDoubt);
  }
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(Http2ClientTest, UndoesGzip) {
  std::string plain;
  for (int i = 0; plain.size() < 1'000'000; ++i) plain += std::to_string(i * 7919);
  auto& server = ServeHttp2([&](const HttpRequest& request, const LocalConnection&) {
    EXPECT_EQ(request.headers.Find("accept-encoding"), "gzip");
    const std::string coded = Gzip(plain);
    return HttpResponse{
        .status = 200,
        .headers = {{"content-encoding", "gzip"}, {"content-length", std::to_string(coded.size())}},
        .body = coded};
  });
  auto http = ClientAt(server.url());
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_TRUE(answer->body == plain);
  EXPECT_FALSE(answer->headers.Find("Content-Encoding"));
  EXPECT_FALSE(answer->headers.Find("Content-Length"));

  HttpRequest raw = Get("/");
  raw.headers = {{"Accept-Encoding", "gzip"}};
  EXPECT_TRUE(Run(http->Send(raw))->body == Gzip(plain));
}

TEST_F(Http2ClientTest, DamagedGzipIsALostAnswer) {
  auto& server = ServeHttp2([](const HttpRequest& request, const LocalConnection&) {
    const std::string coded = Gzip("some text");
    return HttpResponse{.status = 200,
                        .headers = {{"content-encoding", "gzip"}},
                        .body = request.target == "/cut" ? coded.substr(0, 12) : "no gzip"};
  });
  auto http = ClientAt(server.url());
  for (const auto* target : {"/cut", "/bad"}) {
    EXPECT_EQ(Run(http->Send(Get(target))).error().kind(), ErrorKind::kUnavailable);
    EXPECT_EQ(Run(http->Send(Post(target, ""))).error().kind(), ErrorKind::kInDoubt);
  }
}

TEST_F(Http2ClientTest, NobodyListeningIsUnavailable) {
  auto& server = ServeHttp2([](const HttpRequest&, const LocalConnection&) { return Text(""); });
  auto http = ClientAt(server.url());
  Run(server.Stop());
  for (int i = 0; i < 2; ++i) {
    const auto answer = Run(http->Send(Post("/things?token=secret", "body")));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind(), ErrorKind::kUnavailable);
    EXPECT_THAT(answer.error().message(),
                testing::StartsWith("POST " + server.url() + "/things: could not connect: "));
    EXPECT_THAT(answer.error().message(), Not(HasSubstr("secret")));
  }
}

TEST_F(Http2ClientTest, NamesAreResolved) {
  auto& server = ServeHttp2([](const HttpRequest& request, const LocalConnection&) {
    return Text(std::string(*request.headers.Find(":authority")));
  });
  const std::string authority = "localhost:" + std::to_string(server.port());
  auto http = ClientAt("https://" + authority);
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, authority);

  auto nowhere = ClientAt("https://no-such-host.invalid");
  const auto failed = Run(nowhere->Send(Post("/", "x")));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(failed.error().message(), HasSubstr("could not resolve the host"));
}

TEST_F(Http2ClientTest, TimesOutAndTellsTheServer) {
  auto& server = ServeSilence();
  auto http = ClientAt(server.url());
  const auto outcome = Start(*http, Get("/"));
  Run(asked_.Wait());
  clock_.Advance(30s - 1ns);
  Settle();
  EXPECT_FALSE(outcome->has_value());
  clock_.Advance(1ns);
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT((*outcome)->error().message(), HasSubstr("no answer in time"));
  Run(reset_.Wait());
}

TEST_F(Http2ClientTest, TimeoutOfAWriteIsInDoubt) {
  auto& server = ServeSilence();
  auto http = ClientAt(server.url());
  HttpRequest request = Post("/", "x");
  request.timeout = 1s;
  const auto outcome = Start(*http, request);
  Run(asked_.Wait());
  clock_.Advance(1s);
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kInDoubt);
}

Task<void> IgnoreAll(LocalServer::Connection connection) {
  while (!(co_await connection->ReadSome()).empty()) {
  }
}

TEST_F(Http2ClientTest, TimeoutOfAWriteThatWasNotSentIsNot) {
  // It waits for a TLS handshake that never comes.
  auto& server = Serve(IgnoreAll);
  auto http = ClientAt("https://" + server.address());
  HttpRequest request = Post("/", "x");
  request.timeout = 9s;
  const auto outcome = Start(*http, request);
  RunUntil([&] { return server.accepted() == 1; });
  clock_.Advance(9s);
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT((*outcome)->error().message(), HasSubstr("no connection in time"));
}

TEST_F(Http2ClientTest, ConnectionMustBeThereInTime) {
  auto& server = Serve(IgnoreAll);
  auto http = ClientAt("https://" + server.address());
  const auto outcome = Start(*http, Post("/", "x"));
  RunUntil([&] { return server.accepted() == 1; });
  clock_.Advance(10s);
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT((*outcome)->error().message(), HasSubstr("could not connect"));
  EXPECT_FALSE(clock_.has_sleepers());
}

TEST_F(Http2ClientTest, CancellationResetsTheStreamAtOnce) {
  auto& server = ServeSilence();
  auto http = ClientAt(server.url());
  const auto outcome = Start(*http, Post("/", "x"));
  Run(asked_.Wait());
  tasks_.Cancel();
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kCancelled);
  Run(reset_.Wait());
  EXPECT_EQ(http->connections_open(), 1U);
}

TEST_F(Http2ClientTest, CancelledWhileConnecting) {
  auto& server = Serve(IgnoreAll);
  auto http = ClientAt("https://" + server.address());
  const auto outcome = Start(*http, Post("/", "x"));
  RunUntil([&] { return server.accepted() == 1; });
  tasks_.Cancel();
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kCancelled);
}

TEST_F(Http2ClientTest, GoesAwayWhileRequestsRun) {
  auto& server = ServeSilence();
  auto http = ClientAt(server.url());
  const auto outcome = Start(*http, Get("/"));
  Run(asked_.Wait());
  http.reset();
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kCancelled);
  Run(gone_.Wait());
  EXPECT_FALSE(clock_.has_sleepers());
}

TEST_F(Http2ClientTest, GoesAwayWhileItConnects) {
  auto& server = Serve(IgnoreAll);
  auto http = ClientAt("https://" + server.address());
  const auto outcome = Start(*http, Get("/"));
  RunUntil([&] { return server.accepted() == 1; });
  http.reset();
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kCancelled);
  EXPECT_FALSE(clock_.has_sleepers());
}

TEST_F(Http2ClientTest, TaskAskedForBeforeItWentAwayEndsToo) {
  auto http = ClientAt("https://127.0.0.1:1");
  auto task = http->Send(Get("/"));
  http.reset();
  EXPECT_EQ(Run(std::move(task)).error().kind(), ErrorKind::kCancelled);
}

TEST_F(Http2ClientTest, LoopMayGoWithRequestsStillSuspended) {
  struct Server {
    Server(const Executor& executor, LocalServer::Tls tls)
        : asked(executor),
          server(
              executor, [this](Connection connection) { return Hear(connection, &asked); },
              std::move(tls)) {}
    static Task<void> Hear(Connection connection, Gate* asked) {
      Http2Peer peer(connection);
      co_await peer.Greet();
      co_await peer.Next();
      asked->Open();
      co_await peer.Next();
    }
    Gate asked;
    LocalServer server;
  };
  auto io = std::make_unique<boost::asio::io_context>(1);
  auto server = std::make_shared<Server>(io->get_executor(), Http2Tls());
  auto http = Http2Client::Create(io->get_executor(), clock_, OptionsFor(server->server.url()));
  ASSERT_TRUE(http);
  const auto outcome = std::make_shared<std::optional<Result<HttpResponse>>>();
  boost::asio::co_spawn(*io, KeepOutcome((*http)->Send(Get("/")), outcome), boost::asio::detached);
  while (!server->asked.is_open()) io->run_one();
  boost::asio::co_spawn(*io, Own(std::move(server)), boost::asio::detached);
  io->poll();
  // As in a program that leaves: the owner first, then the loop with all that waits on it.
  http->reset();
  io.reset();
  EXPECT_FALSE(outcome->has_value());
}

}  // namespace
}  // namespace millwright::net
