#include "net/curl_http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/testing/curl_fixture.h"
#include "net/testing/gzip.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

class CurlHttpTest : public CurlFixture {
 protected:
  // Reads one request and then neither answers nor goes; opens `gone` when the client has.
  LocalServer& ServeSilence() {
    return Serve([this](Connection connection) { return StaySilent(connection, &asked_, &gone_); });
  }

  static Task<void> StaySilent(Connection connection, Gate* asked, Gate* gone) {
    co_await connection->ReadRequest();
    asked->Open();
    co_await connection->ReadSome();
    gone->Open();
  }

  // Answers on each connection so many requests; hears one more and closes without a word.
  LocalServer& ServeThenHangUp(int answers) {
    return Serve([this, answers](Connection connection) {
      return HangUpAfter(connection, answers, &heard_);
    });
  }

  static Task<void> HangUpAfter(Connection connection, int answers,
                                std::vector<std::string>* heard) {
    while (true) {
      const auto request = co_await connection->ReadRequest();
      if (!request) co_return;
      heard->push_back(std::to_string(connection->number) + " " + request->method);
      if (answers-- == 0) co_return;
      co_await connection->Answer(Text("ok"));
    }
  }

  Gate asked_{executor()};
  Gate gone_{executor()};
  std::vector<std::string> heard_;
};

TEST_F(CurlHttpTest, CarriesTheWholeRequestAndTheWholeAnswer) {
  HttpRequest seen;
  auto& server = ServeAnswers([&](const HttpRequest& request, const LocalConnection&) {
    seen = request;
    return HttpResponse{.status = 201, .headers = {{"X-Answer", " yes "}}, .body = "made"};
  });
  auto http = ClientOf(server);
  HttpRequest request = Post("/things?dry=1", "{\"a\":1}");
  request.headers = {{"Content-Type", "application/json"}, {"X-Empty", ""}, {"X-Blank", "v "}};
  const auto answer = Run(http->Send(request));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->headers.Find("x-answer"), "yes");
  EXPECT_EQ(answer->body, "made");
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.target, "/things?dry=1");
  EXPECT_EQ(seen.body, "{\"a\":1}");
  EXPECT_EQ(seen.headers.Find("Host"), server.address());
  EXPECT_EQ(seen.headers.Find("Content-Type"), "application/json");
  EXPECT_EQ(seen.headers.Find("User-Agent"), "millwright");
  EXPECT_EQ(seen.headers.Find("X-Empty"), "");
  EXPECT_EQ(seen.headers.Find("X-Blank"), "v");
  EXPECT_FALSE(seen.headers.Find("Expect"));
}

TEST_F(CurlHttpTest, SendsEveryMethodAsItIs) {
  std::vector<std::string> seen;
  auto& server = ServeAnswers([&](const HttpRequest& request, const LocalConnection&) {
    seen.push_back(request.method + " " + request.body + " " +
                   std::string(request.headers.Find("Content-Length").value_or("-")) + " " +
                   std::string(request.headers.Find("Content-Type").value_or("-")));
    return Text("");
  });
  auto http = ClientOf(server);
  for (const auto* method : {"GET", "DELETE", "POST", "PUT", "PATCH", "OPTIONS"}) {
    for (const auto* body : {"", "b"}) {
      HttpRequest request = Post("/", body);
      request.method = method;
      ASSERT_TRUE(Run(http->Send(request)));
    }
  }
  EXPECT_THAT(seen,
              testing::ElementsAre("GET  - -", "GET b 1 -", "DELETE  - -", "DELETE b 1 -",
                                   "POST  0 -", "POST b 1 -", "PUT  0 -", "PUT b 1 -", "PATCH  0 -",
                                   "PATCH b 1 -", "OPTIONS  - -", "OPTIONS b 1 -"));
}

Task<void> AnswerWith(LocalServer::Connection connection, std::string bytes) {
  while (co_await connection->ReadRequest()) co_await connection->Write(bytes);
}

TEST_F(CurlHttpTest, AnswerToHeadHasNoBody) {
  auto& server = Serve([](Connection connection) {
    return AnswerWith(connection, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
  });
  auto http = ClientOf(server);
  HttpRequest request = Get("/");
  request.method = "HEAD";
  for (int i = 0; i < 2; ++i) {
    const auto answer = Run(http->Send(request));
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(answer->headers.Find("Content-Length"), "5");
    EXPECT_EQ(answer->body, "");
  }
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(CurlHttpTest, OnlyTheFinalHeadCounts) {
  auto& server = Serve([](Connection connection) {
    return AnswerWith(connection,
                      "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n"
                      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Final: 1\r\n\r\n"
                      "2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n");
  });
  auto http = ClientOf(server);
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "ok");
  EXPECT_TRUE(answer->headers.Find("X-Final"));
  EXPECT_FALSE(answer->headers.Find("X-Early"));
  EXPECT_FALSE(answer->headers.Find("X-Trailer"));
}

TEST_F(CurlHttpTest, RedirectIsAnAnswer) {
  auto& server = ServeAnswers([](const HttpRequest&, const LocalConnection&) {
    return HttpResponse{.status = 302, .headers = {{"Location", "/elsewhere"}}, .body = ""};
  });
  auto http = ClientOf(server);
  EXPECT_EQ(Run(http->Send(Get("/")))->status, 302);
}

TEST_F(CurlHttpTest, PathIsSentAsItIs) {
  std::string seen;
  auto& server = ServeAnswers([&](const HttpRequest& request, const LocalConnection&) {
    seen = request.target;
    return Text("");
  });
  auto http = Client({.base_url = server.url() + "/base/", .proxy = ""});
  ASSERT_TRUE(Run(http->Send(Get("/a/../b/./c%2Fd"))));
  EXPECT_EQ(seen, "/base/a/../b/./c%2Fd");
}

TEST_F(CurlHttpTest, WithoutABaseTheTargetIsAWholeAddress) {
  auto& server = ServeAnswers(
      [](const HttpRequest& request, const LocalConnection&) { return Text(request.target); });
  auto http = Client({.base_url = "", .proxy = ""});
  EXPECT_EQ(Run(http->Send(Get(server.url() + "/x")))->body, "/x");
  EXPECT_EQ(Run(http->Send(Get("/x"))).error().kind(), ErrorKind::kInvalid);
  EXPECT_EQ(Run(http->Send(Get("ftp://127.0.0.1/x"))).error().kind(), ErrorKind::kInvalid);
}

TEST_F(CurlHttpTest, KeepsConnectionsForLater) {
  auto& server = ServeAnswers([](const HttpRequest&, const LocalConnection& connection) {
    return Text(std::to_string(connection.number));
  });
  auto http = ClientOf(server);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Run(http->Send(Get("/")))->body, "1");
  EXPECT_EQ(server.accepted(), 1);
  EXPECT_EQ(http->connections_opened(), 1U);
}

Task<void> HoldUntil(LocalServer::Connection connection, int* held, Gate* gate) {
  while (co_await connection->ReadRequest()) {
    ++*held;
    co_await gate->Wait();
    co_await connection->Answer(Text("ok"));
  }
}

TEST_F(CurlHttpTest, OpensNoMoreConnectionsThanAllowed) {
  int held = 0;
  Gate gate(executor());
  auto& server = Serve([&](Connection connection) { return HoldUntil(connection, &held, &gate); });
  auto http = Client({.base_url = server.url(), .proxy = "", .max_connections = 3});
  std::vector<Outcome> outcomes;
  outcomes.reserve(10);
  for (int i = 0; i < 10; ++i) outcomes.push_back(Start(*http, Get("/")));
  RunUntil([&] { return held == 3; });
  gate.Open();
  Run(tasks_.Join());
  for (const auto& outcome : outcomes) EXPECT_TRUE((*outcome)->has_value());
  EXPECT_EQ(server.accepted(), 3);
}

TEST_F(CurlHttpTest, AsksForTheAuthorizationEachTime) {
  std::vector<std::string> seen;
  auto& server = ServeAnswers([&](const HttpRequest& request, const LocalConnection&) {
    seen.emplace_back(request.headers.Find("Authorization").value_or("-"));
    return Text("");
  });
  int asked = 0;
  Authorization authorization = [&asked] {
    return [](int number) -> Task<Result<SecretText>> {
      if (number == 3) co_return Fail(ErrorKind::kUnauthenticated, "no token");
      if (number == 4) co_return SecretText("Bearer a\r\nX-Evil: 1");
      co_return number == 2 ? SecretText() : SecretText("Bearer " + std::to_string(number));
    }(++asked);
  };
  auto http = Client({.base_url = server.url(), .proxy = "", .authorization = authorization});
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  EXPECT_EQ(Run(http->Send(Get("/"))).error().kind(), ErrorKind::kUnauthenticated);
  EXPECT_EQ(Run(http->Send(Get("/"))).error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(seen, testing::ElementsAre("Bearer 1", "-"));
}

TEST_F(CurlHttpTest, RefusesWhatCannotBeSentSafely) {
  auto http = Client({.base_url = "http://127.0.0.1:1", .proxy = ""});
  const auto kind = [&](HttpRequest request) { return Run(http->Send(request)).error().kind(); };
  EXPECT_EQ(kind(Get("/a b")), ErrorKind::kInvalid);
  EXPECT_EQ(kind(Get("/a\r\nHost: x")), ErrorKind::kInvalid);
  HttpRequest request = Get("/");
  request.method = "GET / HTTP/1.1\r\nX: ";
  EXPECT_EQ(kind(request), ErrorKind::kInvalid);
  request = Get("/");
  request.headers = {{"X", "a\nEvil: 1"}};
  EXPECT_EQ(kind(request), ErrorKind::kInvalid);
  request.headers = {{"X: y\r\nEvil", "1"}};
  EXPECT_EQ(kind(request), ErrorKind::kInvalid);
}

TEST_F(CurlHttpTest, RefusesToStartWithAnAddressThatCannotWork) {
  const auto kind = [&](std::string base, std::optional<std::string> proxy) {
    auto http = CurlHttp::Create(executor(), clock_,
                                 {.base_url = std::move(base), .proxy = std::move(proxy)});
    return http ? std::nullopt : std::optional(http.error().kind());
  };
  EXPECT_EQ(kind("https://host:6443/base", "socks5://p:1080"), std::nullopt);
  EXPECT_EQ(kind("host:6443", ""), ErrorKind::kInvalid);
  EXPECT_EQ(kind("ftp://host", ""), ErrorKind::kInvalid);
  EXPECT_EQ(kind("https://ho st", ""), ErrorKind::kInvalid);
  EXPECT_EQ(kind("https://host:notaport", ""), ErrorKind::kInvalid);
  EXPECT_EQ(kind("https://host", "gopher://p"), ErrorKind::kInvalid);
}

TEST_F(CurlHttpTest, AnswerHasALimit) {
  auto& server = ServeAnswers([](const HttpRequest& request, const LocalConnection&) {
    return Text(std::string(request.target == "/small" ? 1000 : 1001, 'x'));
  });
  CurlHttp::Options options{.base_url = server.url(), .proxy = ""};
  options.max_answer = 1000;
  auto http = Client(options);
  EXPECT_EQ(Run(http->Send(Get("/small")))->body.size(), 1000U);
  EXPECT_EQ(Run(http->Send(Get("/large"))).error().kind(), ErrorKind::kInvalid);
  EXPECT_EQ(Run(http->Send(Post("/large", ""))).error().kind(), ErrorKind::kInDoubt);
}

TEST_F(CurlHttpTest, UndoesGzip) {
  const std::string plain(100'000, 'z');
  auto& server = ServeAnswers([&](const HttpRequest& request, const LocalConnection&) {
    EXPECT_EQ(request.headers.Find("Accept-Encoding"), "gzip");
    return HttpResponse{
        .status = 200, .headers = {{"Content-Encoding", "gzip"}}, .body = Gzip(plain)};
  });
  auto http = ClientOf(server);
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_TRUE(answer->body == plain);
  EXPECT_FALSE(answer->headers.Find("Content-Encoding"));
  EXPECT_FALSE(answer->headers.Find("Content-Length"));

  HttpRequest raw = Get("/");
  raw.headers = {{"Accept-Encoding", "gzip"}};
  EXPECT_TRUE(Run(http->Send(raw))->body == Gzip(plain));
}

TEST_F(CurlHttpTest, NobodyListeningIsUnavailable) {
  auto& server = ServeAnswers([](const HttpRequest&, const LocalConnection&) { return Text(""); });
  auto http = ClientOf(server);
  Run(server.Stop());
  const auto answer = Run(http->Send(Post("/things?token=secret", "body")));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(answer.error().message(),
              testing::StartsWith("POST " + server.url() + "/things: could not connect: "));
  EXPECT_THAT(answer.error().message(), Not(HasSubstr("secret")));
}

TEST_F(CurlHttpTest, CloseBeforeTheAnswerLeavesAWriteInDoubt) {
  auto& server = ServeThenHangUp(0);
  auto http = ClientOf(server);
  EXPECT_EQ(Run(http->Send(Get("/"))).error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(Run(http->Send(Post("/", "x"))).error().kind(), ErrorKind::kInDoubt);
}

TEST_F(CurlHttpTest, ReadOnAConnectionThatDiesIsRepeated) {
  auto& server = ServeThenHangUp(1);
  auto http = ClientOf(server);
  EXPECT_TRUE(Run(http->Send(Get("/"))));
  EXPECT_TRUE(Run(http->Send(Get("/"))));
  EXPECT_THAT(heard_, testing::ElementsAre("1 GET", "1 GET", "2 GET"));
}

TEST_F(CurlHttpTest, WriteOnAConnectionThatDiesIsNot) {
  for (const auto* method : {"POST", "PUT", "PATCH", "DELETE"}) {
    heard_.clear();
    auto& server = ServeThenHangUp(1);
    auto http = ClientOf(server);
    HttpRequest request = Post("/", "");
    request.method = method;
    EXPECT_TRUE(Run(http->Send(request)));
    const auto lost = Run(http->Send(request));
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().kind(), ErrorKind::kInDoubt) << lost.error().message();
    EXPECT_THAT(lost.error().message(), HasSubstr("the answer was lost"));
    const std::string first = std::string("1 ") + method;
    EXPECT_THAT(heard_, testing::ElementsAre(first, first));
  }
}

Task<void> CutShort(LocalServer::Connection connection, bool hard) {
  co_await connection->ReadRequest();
  co_await connection->Write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf ");
  connection->Close(hard);
}

TEST_F(CurlHttpTest, AnswerCutShortIsNoAnswer) {
  for (const bool hard : {false, true}) {
    auto& server = Serve([hard](Connection connection) { return CutShort(connection, hard); });
    auto http = ClientOf(server);
    EXPECT_EQ(Run(http->Send(Get("/"))).error().kind(), ErrorKind::kUnavailable);
    EXPECT_EQ(Run(http->Send(Post("/", "x"))).error().kind(), ErrorKind::kInDoubt);
  }
}

TEST_F(CurlHttpTest, TimesOut) {
  auto& server = ServeSilence();
  auto http = ClientOf(server);
  const auto outcome = Start(*http, Get("/"));
  Run(asked_.Wait());
  clock_.Advance(30s - 1ns);
  EXPECT_FALSE(outcome->has_value());
  clock_.Advance(1ns);
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT((*outcome)->error().message(), HasSubstr("no answer in time"));
  Run(gone_.Wait());
  EXPECT_FALSE(clock_.has_sleepers());
}

TEST_F(CurlHttpTest, TimeoutOfAWriteIsInDoubt) {
  auto& server = ServeSilence();
  auto http = ClientOf(server);
  HttpRequest request = Post("/", "x");
  request.timeout = 1s;
  const auto outcome = Start(*http, request);
  Run(asked_.Wait());
  clock_.Advance(1s);
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kInDoubt);
}

TEST_F(CurlHttpTest, TimeoutOfAWriteThatWasNotSentIsNot) {
  // It waits for a TLS handshake that never comes.
  Gate connected(executor());
  auto& server =
      Serve([&](Connection connection) { return StaySilent(connection, &asked_, &gone_); });
  auto http = Client({.base_url = "https://" + server.address(), .proxy = ""});
  const auto outcome = Start(*http, Post("/", "x"));
  RunUntil([&] { return server.accepted() == 1; });
  clock_.Advance(30s);
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT((*outcome)->error().message(), HasSubstr("no connection in time"));
}

TEST_F(CurlHttpTest, CancellationEndsTheExchangeAtOnce) {
  auto& server = ServeSilence();
  auto http = ClientOf(server);
  const auto outcome = Start(*http, Post("/", "x"));
  Run(asked_.Wait());
  tasks_.Cancel();
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kCancelled);
  Run(gone_.Wait());
  EXPECT_FALSE(clock_.has_sleepers());
}

TEST_F(CurlHttpTest, GoesAwayWhileRequestsRun) {
  auto& server = ServeSilence();
  auto http = ClientOf(server);
  const auto outcome = Start(*http, Get("/"));
  Run(asked_.Wait());
  http.reset();
  Run(tasks_.Join());
  EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kCancelled);
}

TEST_F(CurlHttpTest, TaskAskedForBeforeItWentAwayEndsToo) {
  auto http = Client({.base_url = "http://127.0.0.1:1", .proxy = ""});
  auto task = http->Send(Get("/"));
  http.reset();
  EXPECT_EQ(Run(std::move(task)).error().kind(), ErrorKind::kCancelled);
}

TEST_F(CurlHttpTest, LoopMayGoWithRequestsStillSuspended) {
  struct Server {
    explicit Server(const Executor& executor)
        : asked(executor), gone(executor), server(executor, [this](Connection connection) {
            return StaySilent(connection, &asked, &gone);
          }) {}
    Gate asked;
    Gate gone;
    LocalServer server;
  };
  auto io = std::make_unique<boost::asio::io_context>(1);
  auto http = CurlHttp::Create(io->get_executor(), clock_, {.base_url = "", .proxy = ""});
  ASSERT_TRUE(http);
  auto server = std::make_shared<Server>(io->get_executor());
  const auto outcome = std::make_shared<std::optional<Result<HttpResponse>>>();
  boost::asio::co_spawn(*io, KeepOutcome((*http)->Send(Get(server->server.url() + "/")), outcome),
                        boost::asio::detached);
  while (!server->asked.is_open()) io->run_one();
  boost::asio::co_spawn(*io, Own(std::move(server)), boost::asio::detached);
  io->poll();
  // As in a program that leaves: the owner first, then the loop with all that waits on it.
  http->reset();
  io.reset();
  EXPECT_FALSE(outcome->has_value());
}

TEST_F(CurlHttpTest, HandlesAreUsedAgainAndCarryNothingOver) {
  std::vector<HttpRequest> seen;
  auto& server = ServeAnswers([&](const HttpRequest& request, const LocalConnection&) {
    seen.push_back(request);
    return Text("");
  });
  auto http = ClientOf(server);
  HttpRequest first = Post("/first", "secret");
  first.headers = {{"X-First", "1"}};
  first.method = "PATCH";
  ASSERT_TRUE(Run(http->Send(first)));
  ASSERT_TRUE(Run(http->Send(Get("/second"))));
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1].method, "GET");
  EXPECT_EQ(seen[1].body, "");
  EXPECT_FALSE(seen[1].headers.Find("X-First"));
}

}  // namespace
}  // namespace millwright::net
