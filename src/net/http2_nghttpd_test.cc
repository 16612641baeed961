#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/testing/http2_fixture.h"
#include "net/testing/nghttpd.h"

namespace millwright::net {
namespace {

// Against a server that is not ours, where it is installed.
class NghttpdTest : public Http2Fixture {
 protected:
  void SetUp() override { StartServer({"--echo-upload"}); }

  void StartServer(const std::vector<std::string>& flags) {
    server_ = Nghttpd::Start(authority_.IssueServer(), flags);
    if (!server_) GTEST_SKIP() << "nghttpd is not installed (Debian: nghttp2-server)";
    server_->Put("small", "content");
  }

  static void ExpectContent(const std::vector<Outcome>& outcomes) {
    for (const auto& outcome : outcomes) {
      ASSERT_TRUE(**outcome) << (*outcome)->error().message();
      EXPECT_EQ((*outcome)->value().body, "content");
    }
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
  ExpectContent(outcomes);
  EXPECT_EQ(http->connections_opened(), 1U);
}

TEST_F(NghttpdTest, AThousandRequestsTakeAsFewConnectionsAsTheServerAllows) {
  StartServer({"--max-concurrent-streams=200"});
  auto http = ClientAt(server_->url());
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 1000; ++i) outcomes.push_back(Start(*http, Get("/small")));
  Run(tasks_.Join());
  ExpectContent(outcomes);
  EXPECT_LE(http->connections_opened(), 5U);
}

TEST_F(NghttpdTest, AServerThatTakesOneAtATimeIsServedToo) {
  StartServer({"--max-concurrent-streams=1"});
  ClientOptions options = OptionsFor(server_->url());
  options.max_connections = 3;
  auto http = Client(options);
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 100; ++i) outcomes.push_back(Start(*http, Get("/small")));
  Run(tasks_.Join());
  ExpectContent(outcomes);
  EXPECT_LE(http->connections_opened(), 3U);
}

TEST_F(NghttpdTest, BodiesGoBothWays) {
  auto http = ClientAt(server_->url());
  std::vector<std::string> bodies;
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 150; ++i) {
    bodies.emplace_back(static_cast<std::size_t>(i) * 2000, static_cast<char>('a' + (i % 26)));
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
  ExpectContent(smalls);
  EXPECT_EQ(http->connections_opened(), 1U);
}

TEST_F(NghttpdTest, StreamsThatNobodyReadsHoldUpNobodyElse) {
  const std::string large(20'000'000, 'x');
  server_->Put("large", large);
  auto http = ClientAt(server_->url());
  std::vector<HttpStream> streams;
  for (int i = 0; i < 40; ++i) {
    auto stream = Run(http->Open(Get("/large")));
    ASSERT_TRUE(stream) << stream.error().message();
    streams.push_back(*std::move(stream));
  }
  std::vector<Outcome> outcomes;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 20; ++i) outcomes.push_back(Start(*http, Get("/small")));
    Run(tasks_.Join());
  }
  ExpectContent(outcomes);

  // And they go on when somebody does.
  for (const std::size_t which : {0U, 39U}) {
    std::size_t read = 0;
    while (true) {
      const auto piece = Run(streams[which].body->Read());
      ASSERT_TRUE(piece) << piece.error().message();
      if (piece->empty()) break;
      EXPECT_LE(piece->size(), std::size_t{1} << 20U);
      read += piece->size();
    }
    EXPECT_EQ(read, large.size());
  }
  EXPECT_EQ(http->connections_opened(), 1U);
}

TEST_F(NghttpdTest, CancelledRequestsDoNotHarmTheOthers) {
  server_->Put("large", std::string(1'000'000, 'x'));
  auto http = ClientAt(server_->url());
  for (int round = 0; round < 20; ++round) {
    TaskGroup doomed(executor());
    std::vector<Outcome> outcomes;
    for (int i = 0; i < 10; ++i) {
      outcomes.push_back(Start(*http, Get("/large")));
      doomed.Spawn([&] {
        return KeepOutcome(http->Send(Get("/large")),
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
  EXPECT_EQ(http->connections_opened(), 1U);
}

TEST_F(NghttpdTest, AStormOfCancellationsLeavesTheConnectionWhole) {
  auto http = ClientAt(server_->url());
  ASSERT_TRUE(Run(http->Send(Get("/small"))));
  for (int round = 0; round < 50; ++round) {
    TaskGroup doomed(executor());
    for (int i = 0; i < 80; ++i) {
      doomed.Spawn([&, i] {
        return KeepOutcome(
            http->Send(i % 2 == 0 ? Get("/small") : Post("/echo", std::string(30'000, 'x'))),
            std::make_shared<std::optional<Result<HttpResponse>>>());
      });
    }
    for (int step = 0; step < 40 + (round * 4); ++step) io_.run_one();
    doomed.Cancel();
    Run(doomed.Join());
  }
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 50; ++i) outcomes.push_back(Start(*http, Get("/small")));
  Run(tasks_.Join());
  ExpectContent(outcomes);
}

}  // namespace
}  // namespace millwright::net
