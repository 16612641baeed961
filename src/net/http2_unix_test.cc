// HTTP/2 on a UNIX socket, and trailers: what gRPC needs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <filesystem>

#include "net/testing/http2_fixture.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using boost::asio::local::stream_protocol;
using testing::HasSubstr;

constexpr auto kAsValues = boost::asio::as_tuple(boost::asio::use_awaitable);

class UnixConnection final : public LocalConnection {
 public:
  explicit UnixConnection(stream_protocol::socket socket) : socket_(std::move(socket)) {}

  Task<std::string> ReadSome() override {
    std::array<char, 4096> bytes{};
    const auto [error, size] =
        co_await socket_.async_read_some(boost::asio::buffer(bytes), kAsValues);
    co_return error ? std::string() : std::string(bytes.data(), size);
  }
  Task<bool> Write(std::string bytes) override {
    const auto [error, size] =
        co_await boost::asio::async_write(socket_, boost::asio::buffer(bytes), kAsValues);
    co_return !error;
  }
  void Close(bool) override {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }
  std::string peer_name() const override { return ""; }
  std::string asked_name() const override { return ""; }
  std::string protocol() const override { return ""; }

 private:
  stream_protocol::socket socket_;
};

class Http2UnixTest : public Http2Fixture {
 protected:
  Http2UnixTest() {
    std::string made = std::filesystem::temp_directory_path() / "millwright-socket-XXXXXX";
    directory_ = mkdtemp(made.data());
  }
  ~Http2UnixTest() override { std::filesystem::remove_all(directory_); }

  std::string path() const { return directory_ / "server.sock"; }

  std::unique_ptr<Http2Client> ClientWith(Http2Manners manners) {
    manners.unix_socket = path();
    auto client = Http2Client::Create(executor(), clock_, {}, std::move(manners));
    if (!client) throw std::runtime_error(client.error().message());
    return *std::move(client);
  }

  // One connection, as long as it lasts. Each answer has a trailer.
  Task<void> ServeOne() {
    auto [error, socket] = co_await acceptor_.async_accept(kAsValues);
    if (error) co_return;
    ++accepted_;
    Http2Peer peer(std::make_shared<UnixConnection>(std::move(socket)));
    co_await peer.Greet();
    while (const auto asked = co_await peer.Next()) {
      seen_ = asked->request;
      co_await peer.Say(HeadFrame(asked->stream, 200, {}) + DataFrame(asked->stream, "body") +
                        TrailerFrame(asked->stream, {{"grpc-status", "0"}}));
    }
    ++gone_;
  }

  void Listen() {
    acceptor_.open();
    acceptor_.bind(stream_protocol::endpoint(path()));
    acceptor_.listen();
    tasks_.Spawn([this] { return ServeOne(); });
  }
  void TearDown() override {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    tasks_.Cancel();
    Run(tasks_.Join());
    Http2Fixture::TearDown();
  }

  std::filesystem::path directory_;
  stream_protocol::acceptor acceptor_{io_};
  HttpRequest seen_;
  int accepted_ = 0;
  int gone_ = 0;
};

HttpRequest WithTrailers() {
  return {.method = "POST", .target = "/a/b", .headers = {{"TE", "trailers"}}, .body = "asked"};
}

TEST_F(Http2UnixTest, CarriesRequestsAndTrailersThroughASocket) {
  Listen();
  auto http = ClientWith({});
  const auto answer = Run(http->Send(WithTrailers()));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, "body");
  EXPECT_EQ(answer->headers.Find("grpc-status"), "0");
  EXPECT_EQ(seen_.body, "asked");
  EXPECT_EQ(seen_.headers.Find("te"), "trailers");
  EXPECT_EQ(seen_.headers.Find(":scheme"), "http");
  EXPECT_EQ(seen_.headers.Find(":authority"), "localhost");
}

TEST_F(Http2UnixTest, ASocketThatNobodyListensOnIsUnavailable) {
  auto http = ClientWith({});
  const auto answer = Run(http->Send(WithTrailers()));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(answer.error().message(), HasSubstr("No such file"));
}

TEST_F(Http2UnixTest, AnIdleConnectionIsClosedWhereItIsNotKept) {
  Listen();
  auto http = ClientWith({.quiet = 5min, .keep_idle = false});
  ASSERT_TRUE(Run(http->Send(WithTrailers())));
  clock_.Advance(4min);
  Settle();
  EXPECT_EQ(gone_, 0);
  clock_.Advance(2min);
  Settle();
  EXPECT_EQ(gone_, 1);
  EXPECT_EQ(http->connections_open(), 0U);
}

TEST_F(Http2UnixTest, APathThatNoSocketCanHaveIsInvalid) {
  const auto client =
      Http2Client::Create(executor(), clock_, {}, {.unix_socket = "/" + std::string(200, 'x')});
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().kind(), ErrorKind::kInvalid);
}

}  // namespace
}  // namespace millwright::net
