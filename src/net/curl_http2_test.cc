#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "net/testing/curl_fixture.h"
#include "net/testing/http2_frames.h"
#include "net/testing/nghttpd.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class CurlHttp2Test : public CurlFixture {
 protected:
  using Outcome = std::shared_ptr<std::optional<Result<HttpResponse>>>;

  static Task<void> Keep(Task<Result<HttpResponse>> task, Outcome outcome) {
    outcome->emplace(co_await std::move(task));
  }

  Outcome Start(CurlHttp& http, HttpRequest request) {
    auto outcome = std::make_shared<std::optional<Result<HttpResponse>>>();
    tasks_.Spawn([&http, outcome, request = std::move(request)] {
      return Keep(http.Send(request), outcome);
    });
    return outcome;
  }

  std::unique_ptr<CurlHttp> ClientAt(const std::string& url) {
    return Client({.base_url = url, .tls = {.ca_pem = authority_.ca_pem()}, .proxy = ""});
  }

  TestAuthority authority_;
  TaskGroup tasks_{executor()};
};

// Against nghttpd, where it is installed.
class NghttpdTest : public CurlHttp2Test {
 protected:
  void SetUp() override {
    server_ = Nghttpd::Start(authority_.IssueServer(), {"--echo-upload"});
    if (!server_) GTEST_SKIP() << "nghttpd is not installed (Debian: nghttp2-server)";
    server_->Put("small", "content");
  }

  std::unique_ptr<Nghttpd> server_;
};

TEST_F(NghttpdTest, FiftyRequestsShareOneConnection) {
  auto http = ClientAt(server_->url());
  std::vector<Outcome> outcomes;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 50; ++i) outcomes.push_back(Start(*http, Get("/small")));
    Run(tasks_.Join());
  }
  for (const auto& outcome : outcomes) {
    ASSERT_TRUE(**outcome) << (*outcome)->error().message();
    EXPECT_EQ((*outcome)->value().body, "content");
  }
  EXPECT_EQ(http->connections_opened(), 1U);
}

TEST_F(NghttpdTest, AThousandRequestsTakeFewConnections) {
  auto http = ClientAt(server_->url());
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 1000; ++i) outcomes.push_back(Start(*http, Get("/small")));
  Run(tasks_.Join());
  for (const auto& outcome : outcomes) {
    ASSERT_TRUE(**outcome) << (*outcome)->error().message();
    EXPECT_EQ((*outcome)->value().body, "content");
  }
  EXPECT_LE(http->connections_opened(), 4U);
}

TEST_F(NghttpdTest, BodiesGoBothWays) {
  auto http = ClientAt(server_->url());
  std::vector<std::string> bodies;
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 150; ++i) {
    bodies.emplace_back(static_cast<std::size_t>(i) * 200, static_cast<char>('a' + (i % 26)));
    outcomes.push_back(Start(*http, Post("/echo", bodies.back())));
  }
  Run(tasks_.Join());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ASSERT_TRUE(**outcomes[i]) << (*outcomes[i])->error().message();
    EXPECT_TRUE((*outcomes[i])->value().body == bodies[i]) << i;
  }
}

TEST_F(NghttpdTest, LargeAnswersShareAConnectionWithSmallOnes) {
  std::string large;
  for (int i = 0; large.size() < 3'000'000; ++i) large += std::to_string(i) + ",";
  server_->Put("large", large);
  auto http = ClientAt(server_->url());
  std::vector<Outcome> larges;
  std::vector<Outcome> smalls;
  for (int i = 0; i < 12; ++i) {
    larges.push_back(Start(*http, Get("/large")));
    for (int j = 0; j < 5; ++j) smalls.push_back(Start(*http, Get("/small")));
  }
  Run(tasks_.Join());
  for (const auto& outcome : larges) {
    ASSERT_TRUE(**outcome) << (*outcome)->error().message();
    EXPECT_TRUE((*outcome)->value().body == large);
  }
  for (const auto& outcome : smalls) EXPECT_EQ((*outcome)->value().body, "content");
  EXPECT_EQ(http->connections_opened(), 1U);
}

TEST_F(NghttpdTest, CancelledRequestsDoNotHarmTheOthers) {
  server_->Put("large", std::string(1'000'000, 'x'));
  auto http = ClientAt(server_->url());
  for (int round = 0; round < 10; ++round) {
    TaskGroup doomed(executor());
    std::vector<Outcome> outcomes;
    for (int i = 0; i < 10; ++i) {
      outcomes.push_back(Start(*http, Get("/large")));
      doomed.Spawn([&] {
        return Keep(http->Send(Get("/large")),
                    std::make_shared<std::optional<Result<HttpResponse>>>());
      });
    }
    // At some point of their way, each time another one.
    for (int step = 0; step < round * 20; ++step) io_.run_one();
    doomed.Cancel();
    Run(doomed.Join());
    Run(tasks_.Join());
    for (const auto& outcome : outcomes) {
      ASSERT_TRUE(**outcome) << (*outcome)->error().message();
      EXPECT_EQ((*outcome)->value().body.size(), 1'000'000U);
    }
  }
}

// Against frames written by hand: what a well-behaved server cannot be made to do.
class Http2FaultTest : public CurlHttp2Test {
 protected:
  // What to do with a request: bytes to send, then go on or close.
  struct Move {
    std::string bytes;
    bool close = false;
    bool hard = false;
  };
  struct Asked {
    int connection = 0;  // from 1
    int request = 0;     // on that connection, from 1
    std::uint32_t stream = 0;
  };
  using Script = std::function<Move(const Asked&)>;

  LocalServer& ServeFrames(Script script) {
    auto shared = std::make_shared<Script>(std::move(script));
    return Serve(
        [this, shared](Connection connection) { return Play(connection, shared, &heard_); }, Tls());
  }

  LocalServer::Tls Tls() {
    return {.identity = authority_.IssueServer(), .protocols = {"h2", "http/1.1"}};
  }

  static Task<void> Play(Connection connection, std::shared_ptr<Script> script, int* heard) {
    co_await ReadHttp2Preface(connection);
    co_await connection->Write(SettingsFrame(1U << 20U));
    for (int request = 1;; ++request) {
      const std::uint32_t stream = co_await ReadHttp2Request(connection);
      if (stream == 0) co_return;
      ++*heard;
      const Move move =
          (*script)({.connection = connection->number, .request = request, .stream = stream});
      if (!move.bytes.empty()) co_await connection->Write(move.bytes);
      if (move.close) {
        connection->Close(move.hard);
        co_return;
      }
    }
  }

  // Answers the first request of the first connection, so that the next one finds it open.
  static Script AfterOne(Script script) {
    return [script](const Asked& asked) {
      const bool first = asked.connection == 1 && asked.request == 1;
      return first ? Move{.bytes = AnswerFrames(asked.stream, "first")} : script(asked);
    };
  }

  int heard_ = 0;
};

TEST_F(Http2FaultTest, RefusedStreamIsSentAgain) {
  for (const bool kept : {false, true}) {
    heard_ = 0;
    const Script refuse_once = [](const Asked& asked) {
      if (asked.connection > 1) return Move{.bytes = AnswerFrames(asked.stream, "again")};
      return Move{.bytes = ResetFrame(asked.stream, Http2Frame::kRefusedStream)};
    };
    auto http = ClientAt(ServeFrames(kept ? AfterOne(refuse_once) : refuse_once).url());
    if (kept) ASSERT_EQ(Run(http->Send(Get("/")))->body, "first");
    const auto answer = Run(http->Send(Post("/", "x")));
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(answer->body, "again");
    EXPECT_EQ(heard_, kept ? 3 : 2);
  }
}

TEST_F(Http2FaultTest, AlwaysRefusedIsUnavailableAlsoForAWrite) {
  for (const bool kept : {false, true}) {
    const Script refuse = [](const Asked& asked) {
      return Move{.bytes = ResetFrame(asked.stream, Http2Frame::kRefusedStream)};
    };
    auto http = ClientAt(ServeFrames(kept ? AfterOne(refuse) : refuse).url());
    if (kept) ASSERT_EQ(Run(http->Send(Get("/")))->body, "first");
    const auto answer = Run(http->Send(Post("/", "x")));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind(), ErrorKind::kUnavailable) << answer.error().message();
  }
}

// Leaves the first connection at its second request, whose answer comes on the next one.
Task<void> LeaveAtTheSecond(LocalServer::Connection connection, Gate* answered_again) {
  co_await ReadHttp2Preface(connection);
  co_await connection->Write(SettingsFrame(1U << 20U));
  const std::uint32_t first = co_await ReadHttp2Request(connection);
  if (connection->number == 1) {
    co_await ReadHttp2Request(connection);
    co_await connection->Write(GoAwayFrame(first));
    co_await answered_again->Wait();
  }
  co_await connection->Write(AnswerFrames(first, connection->number == 1 ? "first" : "again"));
  while (co_await ReadHttp2Frame(connection)) {
  }
}

TEST_F(Http2FaultTest, GoAwayBeforeItWasLookedAtIsSentAgain) {
  Gate answered_again(executor());
  auto& server = Serve(
      [&](Connection connection) { return LeaveAtTheSecond(connection, &answered_again); }, Tls());
  auto http = ClientAt(server.url());
  const auto one = Start(*http, Post("/", "x"));
  const auto other = Start(*http, Post("/", "x"));
  RunUntil([&] { return one->has_value() || other->has_value(); });
  answered_again.Open();
  Run(tasks_.Join());
  ASSERT_TRUE(**one) << (*one)->error().message();
  ASSERT_TRUE(**other) << (*other)->error().message();
  EXPECT_THAT((std::vector{(*one)->value().body, (*other)->value().body}),
              testing::UnorderedElementsAre("first", "again"));
  EXPECT_EQ(server.accepted(), 2);
}

// Here libcurl 7.88 does not tell a refusal from a stream that broke, so we cannot either.
TEST_F(Http2FaultTest, GoAwayWithNothingElseUnderWayLeavesAWriteInDoubt) {
  for (const bool kept : {false, true}) {
    heard_ = 0;
    const Script leave = [](const Asked& asked) {
      return Move{.bytes = GoAwayFrame(asked.stream < 2 ? 0 : asked.stream - 2)};
    };
    auto http = ClientAt(ServeFrames(kept ? AfterOne(leave) : leave).url());
    if (kept) ASSERT_EQ(Run(http->Send(Get("/")))->body, "first");
    const auto answer = Run(http->Send(Post("/", "x")));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind(), ErrorKind::kInDoubt) << answer.error().message();
    EXPECT_EQ(heard_, kept ? 2 : 1);
  }
}

TEST_F(Http2FaultTest, GoAwayAfterItWasAnsweredCostsNothing) {
  const Script answer_and_leave = [](const Asked& asked) {
    return Move{.bytes = AnswerFrames(asked.stream, "ok") + GoAwayFrame(asked.stream)};
  };
  auto& server = ServeFrames(answer_and_leave);
  auto http = ClientAt(server.url());
  for (int i = 1; i <= 3; ++i) {
    const auto answer = Run(http->Send(Post("/", "x")));
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(server.accepted(), i);
    EXPECT_EQ(heard_, i);
  }
}

TEST_F(Http2FaultTest, GoAwayLeavesWhatIsUnderWay) {
  const Script answer_late = [](const Asked& asked) {
    if (asked.request == 1) return Move{.bytes = GoAwayFrame(3)};
    return Move{.bytes = AnswerFrames(1, "one") + AnswerFrames(3, "two")};
  };
  auto http = ClientAt(ServeFrames(answer_late).url());
  const auto one = Start(*http, Post("/", "x"));
  const auto two = Start(*http, Post("/", "x"));
  Run(tasks_.Join());
  ASSERT_TRUE(**one) << (*one)->error().message();
  ASSERT_TRUE(**two) << (*two)->error().message();
  EXPECT_EQ((*two)->value().body, "two");
  EXPECT_EQ(heard_, 2);
}

TEST_F(Http2FaultTest, LostConnectionLeavesAWriteInDoubtAndIsNotRepeated) {
  for (const bool kept : {false, true}) {
    for (const bool hard : {false, true}) {
      heard_ = 0;
      const Script vanish = [hard](const Asked&) {
        return Move{.bytes = "", .close = true, .hard = hard};
      };
      auto http = ClientAt(ServeFrames(kept ? AfterOne(vanish) : vanish).url());
      if (kept) ASSERT_EQ(Run(http->Send(Get("/")))->body, "first");
      const auto answer = Run(http->Send(Post("/", "x")));
      ASSERT_FALSE(answer);
      EXPECT_EQ(answer.error().kind(), ErrorKind::kInDoubt) << answer.error().message();
      EXPECT_EQ(heard_, kept ? 2 : 1);
    }
  }
}

TEST_F(Http2FaultTest, BrokenStreamLeavesAWriteInDoubtAndOthersAlone) {
  const Script break_first = [](const Asked& asked) {
    if (asked.request == 1) return Move{};
    return Move{.bytes =
                    ResetFrame(1, Http2Frame::kInternalError) + AnswerFrames(asked.stream, "fine")};
  };
  auto& server = ServeFrames(break_first);
  auto http = ClientAt(server.url());
  const auto broken = Start(*http, Post("/", "x"));
  RunUntil([&] { return heard_ == 1; });
  const auto fine = Start(*http, Post("/", "x"));
  Run(tasks_.Join());
  EXPECT_EQ((*broken)->error().kind(), ErrorKind::kInDoubt);
  ASSERT_TRUE(**fine) << (*fine)->error().message();
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(Http2FaultTest, AfterATimeoutAnIdleConnectionIsNotTrusted) {
  const Script silent_once = [](const Asked& asked) {
    if (asked.connection == 1) return Move{};
    return Move{.bytes = AnswerFrames(asked.stream, "new")};
  };
  auto& server = ServeFrames(silent_once);
  auto http = ClientAt(server.url());
  const auto lost = Start(*http, Get("/"));
  RunUntil([&] { return heard_ == 1; });
  clock_.Advance(30s);
  Run(tasks_.Join());
  EXPECT_EQ((*lost)->error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(Run(http->Send(Get("/")))->body, "new");
  EXPECT_EQ(server.accepted(), 2);
}

// Answers each request with the body it got. After the first it reads nothing until told to.
Task<void> ReadLate(LocalServer::Connection connection, Gate* gate) {
  co_await ReadHttp2Preface(connection);
  co_await connection->Write(SettingsFrame(1U << 24U) + WindowFrame(1U << 30U));
  if (connection->number > 1) co_await gate->Wait();
  std::map<std::uint32_t, std::string> bodies;
  while (true) {
    const auto frame = co_await ReadHttp2Frame(connection);
    if (!frame) co_return;
    const bool of_request = frame->type == Http2Frame::kData || frame->type == Http2Frame::kHeaders;
    if (!of_request) continue;
    if (frame->type == Http2Frame::kData) bodies[frame->stream] += frame->payload;
    if ((frame->flags & Http2Frame::kEndStream) == 0) continue;
    co_await connection->Write(AnswerFrames(frame->stream, bodies[frame->stream]));
    co_await gate->Wait();
  }
}

TEST_F(Http2FaultTest, ServerThatDoesNotReadGetsTheRequestsWholeInTheEnd) {
  Gate gate(executor());
  auto& server = Serve([&](Connection connection) { return ReadLate(connection, &gate); }, Tls());
  auto http = ClientAt(server.url());
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  std::vector<std::string> bodies;
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 600; ++i) {
    bodies.emplace_back(static_cast<std::size_t>(i) * 13, static_cast<char>('a' + (i % 26)));
    outcomes.push_back(Start(*http, Post("/", bodies.back())));
  }
  RunUntil([&] { return server.accepted() == 4; });
  while (io_.poll() > 0) {
  }
  gate.Open();
  Run(tasks_.Join());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ASSERT_TRUE(**outcomes[i]) << (*outcomes[i])->error().message();
    EXPECT_TRUE((*outcomes[i])->value().body == bodies[i]) << i;
  }
  EXPECT_EQ(server.accepted(), 4);
}

TEST_F(CurlHttp2Test, FallsBackToHttp11) {
  auto& server = ServeAnswers(
      [](const HttpRequest& request, const LocalConnection& connection) {
        return Text(connection.protocol() + " " + request.body);
      },
      LocalServer::Tls{.identity = authority_.IssueServer(), .protocols = {"http/1.1"}});
  auto http = ClientAt(server.url());
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 50; ++i) outcomes.push_back(Start(*http, Post("/", std::to_string(i))));
  Run(tasks_.Join());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ASSERT_TRUE(**outcomes[i]) << (*outcomes[i])->error().message();
    EXPECT_EQ((*outcomes[i])->value().body, "http/1.1 " + std::to_string(i));
  }
  EXPECT_LE(server.accepted(), 32);
}

TEST_F(CurlHttp2Test, LargeRequestsGoOverHttp11) {
  auto& server = ServeAnswers(
      [](const HttpRequest& request, const LocalConnection& connection) {
        return Text(connection.protocol() + std::to_string(request.body.size()));
      },
      LocalServer::Tls{.identity = authority_.IssueServer(), .protocols = {"h2", "http/1.1"}});
  auto http = ClientAt(server.url());
  const auto answer = Run(http->Send(Post("/", std::string(5'000'000, 'x'))));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, "http/1.15000000");
}

}  // namespace
}  // namespace millwright::net
