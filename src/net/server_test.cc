#include "net/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "net/server_fake_server.h"
#include "net/testing/test_certificates.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kGet = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr const char* kWait = "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr const char* kWatch = "GET /watch HTTP/1.1\r\nHost: h\r\n\r\n";

enum class Transport { kPlain, kTls };

// What must hold with TLS as without.
class ServerTest : public ServerFixture, public testing::TestWithParam<Transport> {
 protected:
  void StartWith(ServerLimits limits = {}) {
    ServerOptions options;
    options.limits = limits;
    if (GetParam() == Transport::kTls) {
      TestIdentity identity = authority_.IssueServer();
      options.tls =
          TlsPem{.certificate = identity.cert_pem, .key = identity.key_pem, .client_ca = ""};
      client_tls_.add_certificate_authority(boost::asio::buffer(authority_.ca_pem()));
      client_tls_.set_verify_mode(boost::asio::ssl::verify_peer);
    }
    Start(std::move(options));
  }

  std::unique_ptr<RawClient> NewClient() {
    return std::make_unique<RawClient>(loop_, port(),
                                       GetParam() == Transport::kTls ? &client_tls_ : nullptr);
  }

  std::unique_ptr<RawClient> Connected() {
    auto client = NewClient();
    EXPECT_TRUE(client->Connect());
    return client;
  }

  TestAuthority authority_;
  boost::asio::ssl::context client_tls_{boost::asio::ssl::context::tls_client};
};

INSTANTIATE_TEST_SUITE_P(All, ServerTest, testing::Values(Transport::kPlain, Transport::kTls),
                         [](const auto& test) {
                           return test.param == Transport::kTls ? "Tls" : "Plain";
                         });

TEST_P(ServerTest, AnswersOneRequestAfterTheOther) {
  StartWith();
  auto client = Connected();
  EXPECT_THAT(client->Exchange(kGet, "GET:"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(
      client->Exchange("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab", "PUT:ab"),
      StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(server_->connections(), 1U);
  EXPECT_THAT(handler_.requests[0].peer.address, StartsWith("127.0.0.1:"));
  EXPECT_FALSE(handler_.requests[0].peer.verified);
}

TEST_P(ServerTest, LongAnswersComeWhole) {
  StartWith();
  auto client = Connected();
  const std::string head = client->Exchange("GET /big HTTP/1.1\r\nHost: h\r\n\r\n", "\r\n\r\n");
  EXPECT_THAT(head, HasSubstr("Content-Length: 1000000\r\n"));
  EXPECT_EQ(client->ReadThrough(std::string(1'000'000, 'x')).size(), 1'000'000U);
}

TEST_P(ServerTest, AfterCloseThereIsAnEnd) {
  StartWith();
  auto client = Connected();
  ASSERT_TRUE(client->Send("GET /close HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_THAT(client->ReadToEnd(), EndsWith("bye"));
  client->Close();
  loop_.RunUntil([&] { return server_->connections() == 0; });
}

TEST_P(ServerTest, WaitsToBeAskedForTheBody) {
  StartWith();
  auto client = Connected();
  EXPECT_EQ(client->Exchange("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n"
                             "Expect: 100-continue\r\n\r\n",
                             "\r\n\r\n"),
            "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_THAT(client->Exchange("x", "PUT:x"), StartsWith("HTTP/1.1 200 OK"));
}

// The answer must arrive although the server has not read all that was sent.
TEST_P(ServerTest, TooLargeABodyIsRefusedInWords) {
  StartWith({.body_bytes = 1000});
  auto client = Connected();
  ASSERT_TRUE(client->Send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" +
                           std::string(100'000, 'x')));
  EXPECT_THAT(client->ReadToEnd(), StartsWith("HTTP/1.1 413 "));
  client->Close();
  loop_.RunUntil([&] { return server_->connections() == 0; });
}

TEST_P(ServerTest, AStreamEndsWhenItsClientDisconnects) {
  StartWith();
  for (const bool hard : {false, true}) {
    auto client = Connected();
    client->Exchange(kWatch, "\r\n\r\n");
    handler_.Emit("event");
    EXPECT_EQ(client->ReadThrough("event\r\n"), "5\r\nevent\r\n");
    EXPECT_EQ(handler_.watchers, 1);
    client->Close(hard);
    loop_.RunUntil([&] { return handler_.watchers == 0 && server_->connections() == 0; });
  }
}

TEST_P(ServerTest, AfterAStreamTheConnectionGoesOn) {
  StartWith();
  auto client = Connected();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(client->Exchange("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n", "0\r\n\r\n"),
                EndsWith("4\r\none,\r\n3\r\ntwo\r\n0\r\n\r\n"));
    EXPECT_THAT(client->Exchange(kGet, "GET:"), StartsWith("HTTP/1.1 200 OK"));
  }
  EXPECT_EQ(server_->connections(), 1U);
}

TEST_P(ServerTest, AClientThatNeverAsksIsCut) {
  StartWith();
  auto client = Connected();
  loop_.RunUntil([&] { return server_->connections() == 1; });
  loop_.RunUntil([&] {
    clock_.Advance(10s);
    return server_->connections() == 0;
  });
  EXPECT_EQ(client->ReadToEnd(), "");
}

TEST_P(ServerTest, OverTheCapTheLongestIdleMakesRoom) {
  StartWith({.connections = 3});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 12; ++i) {
    clients.push_back(Connected());
    EXPECT_THAT(clients.back()->Exchange(kGet, "GET:"), StartsWith("HTTP/1.1 200 OK"));
    EXPECT_LE(server_->connections(), 3U);
    clock_.Advance(1s);
  }
  EXPECT_EQ(clients[8]->ReadToEnd(), "");
  EXPECT_THAT(clients[9]->Exchange(kGet, "GET:"), StartsWith("HTTP/1.1 200 OK"));
}

TEST_P(ServerTest, StoppingFinishesWhatIsInFlight) {
  StartWith();
  auto idle = Connected();
  idle->Exchange(kGet, "GET:");
  auto watching = Connected();
  watching->Exchange(kWatch, "\r\n\r\n");
  auto waiting = Connected();
  ASSERT_TRUE(waiting->Send(kWait));
  loop_.RunUntil([&] { return handler_.waiting == 1; });

  Stop();
  EXPECT_EQ(idle->ReadToEnd(), "");
  EXPECT_EQ(watching->ReadToEnd(), "0\r\n\r\n");
  EXPECT_FALSE(NewClient()->Connect());
  EXPECT_FALSE(stopped_);

  handler_.Release();
  EXPECT_THAT(waiting->ReadToEnd(), HasSubstr("Connection: close\r\n"));
  watching->Close();
  waiting->Close();
  loop_.RunUntil([&] { return stopped_; });
  EXPECT_FALSE(handler_.wait_was_cancelled);
}

TEST_P(ServerTest, StoppingCutsWhatTakesTooLong) {
  StartWith();
  auto waiting = Connected();
  ASSERT_TRUE(waiting->Send(kWait));
  loop_.RunUntil([&] { return handler_.waiting == 1; });
  Stop();
  loop_.RunUntil([&] { return !NewClient()->Connect(); });
  clock_.Advance(29999ms);
  EXPECT_FALSE(stopped_);
  clock_.Advance(1ms);
  EXPECT_EQ(waiting->ReadToEnd(), "");
  loop_.RunUntil([&] { return stopped_; });
  EXPECT_TRUE(handler_.wait_was_cancelled);
  EXPECT_EQ(sink_.Count("cutting connections that did not end in time"), 1U);
}

TEST_P(ServerTest, StoppingTwiceCutsAtOnce) {
  StartWith();
  auto waiting = Connected();
  ASSERT_TRUE(waiting->Send(kWait));
  loop_.RunUntil([&] { return handler_.waiting == 1; });
  Stop();
  loop_.RunUntil([&] { return !NewClient()->Connect(); });
  Stop();
  loop_.RunUntil([&] { return stopped_; });
}

class PlainServerTest : public ServerFixture, public testing::Test {};

// More connections than there is room for, all busy: the others wait their turn in the kernel.
TEST_F(PlainServerTest, OverTheCapTheBusyAreLeftAlone) {
  ServerOptions options;
  options.limits.connections = 2;
  Start(std::move(options));
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<RawClient>(loop_, port()));
    ASSERT_TRUE(clients.back()->Connect());
    ASSERT_TRUE(clients.back()->Send(kWait));
  }
  loop_.RunUntil([&] { return handler_.waiting == 2; });
  EXPECT_EQ(server_->connections(), 2U);
  handler_.Release();
  for (const auto& client : clients) {
    EXPECT_THAT(client->ReadThrough("released"), StartsWith("HTTP/1.1 200 OK"));
    EXPECT_LE(server_->connections(), 2U);
  }
}

TEST_F(PlainServerTest, StopsAlsoWhenItIsFull) {
  ServerOptions options;
  options.limits.connections = 1;
  Start(std::move(options));
  RawClient busy(loop_, port());
  ASSERT_TRUE(busy.Connect() && busy.Send(kWait));
  RawClient next(loop_, port());
  ASSERT_TRUE(next.Connect() && next.Send(kGet));
  loop_.RunUntil([&] { return handler_.waiting == 1; });
  Stop();
  EXPECT_EQ(next.ReadToEnd(), "");
  handler_.Release();
  EXPECT_THAT(busy.ReadToEnd(), EndsWith("released"));
  busy.Close();
  loop_.RunUntil([&] { return stopped_; });
}

TEST_F(PlainServerTest, NonsenseHurtsNobodyElse) {
  Start();
  auto good = std::make_unique<RawClient>(loop_, port());
  ASSERT_TRUE(good->Connect());
  for (const std::string& bytes :
       {std::string("\0\0\0\r\n\r\n", 7), std::string("GET\r\n\r\n"), std::string(100'000, 'x')}) {
    RawClient bad(loop_, port());
    ASSERT_TRUE(bad.Connect());
    ASSERT_TRUE(bad.Send(bytes));
    EXPECT_THAT(bad.ReadToEnd(), StartsWith("HTTP/1.1 4"));
  }
  EXPECT_THAT(good->Exchange(kGet, "GET:"), StartsWith("HTTP/1.1 200 OK"));
}

TEST_F(PlainServerTest, ListensOnBothFamilies) {
  ServerOptions options;
  options.address = "::";
  auto server = Server::Listen(loop_.executor(), clock_, options, handler_);
  if (!server) GTEST_SKIP() << server.error().message();
  EXPECT_NE((*server)->port(), 0);
  EXPECT_TRUE(RawClient(loop_, (*server)->port()).Connect());
}

TEST_F(PlainServerTest, SaysWhyItCannotListen) {
  Start();
  ServerOptions taken;
  taken.port = port();
  const auto again = Server::Listen(loop_.executor(), clock_, taken, handler_);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(again.error().message(), HasSubstr("cannot listen on 127.0.0.1 port "));

  ServerOptions nowhere;
  nowhere.address = "localhost.";
  const auto never = Server::Listen(loop_.executor(), clock_, nowhere, handler_);
  ASSERT_FALSE(never.has_value());
  EXPECT_EQ(never.error().kind(), ErrorKind::kInvalid);
}

}  // namespace
}  // namespace millwright::net
