#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "net/testing/curl_fixture.h"

namespace millwright::net {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Sets a variable of the environment while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

class CurlProxyTest : public CurlFixture {
 protected:
  CurlProxyTest() {
    for (const auto* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                             "no_proxy", "NO_PROXY"}) {
      unsetenv(name);
    }
  }

  LocalServer& ServeHello() {
    return ServeAnswers([](const HttpRequest&, const LocalConnection&) { return Text("hello"); },
                        LocalServer::Tls{.identity = authority_.IssueServer()});
  }

  // Notes what it is asked for and connects the client to `target`, whatever that was.
  LocalServer& ServeProxy(const LocalServer& target) {
    return Serve([this, port = target.port()](Connection client) {
      return Tunnel(client, port, &asked_for_);
    });
  }

  static Task<void> Tunnel(Connection client, int port, std::vector<std::string>* asked_for) {
    const auto request = co_await client->ReadRequest();
    if (!request) co_return;
    asked_for->push_back(request->method + " " + request->target + " " +
                         std::string(request->headers.Find("Proxy-Authorization").value_or("-")));
    if (request->method != "CONNECT") {
      co_await client->Answer(Text("from the proxy"));
      co_return;
    }
    co_await client->Write("HTTP/1.1 200 Connected\r\nX-Proxy: 1\r\n\r\n");
    co_await Join(client, port);
  }

  // The least of SOCKS 5: no authentication, one connection.
  static Task<void> Socks(Connection client, int port, std::vector<std::string>* asked_for) {
    const std::string hello = co_await client->ReadExactly(2);
    co_await client->ReadExactly(static_cast<unsigned char>(hello[1]));
    co_await client->Write(std::string("\x05\x00", 2));
    const std::string command = co_await client->ReadExactly(4);
    asked_for->push_back("socks " + std::to_string(command[1]) + " " + std::to_string(command[3]));
    co_await client->ReadExactly(6);  // an IPv4 address and a port
    co_await client->Write(std::string("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00", 10));
    co_await Join(client, port);
  }

  // Carries bytes both ways until one side goes.
  static Task<void> Join(Connection client, int port) {
    namespace asio = boost::asio;
    const auto executor = co_await asio::this_coro::executor;
    auto upstream = std::make_shared<asio::ip::tcp::socket>(executor);
    const asio::ip::tcp::endpoint target(asio::ip::address_v4::loopback(),
                                         static_cast<asio::ip::port_type>(port));
    co_await upstream->async_connect(target, asio::use_awaitable);
    TaskGroup back(executor);
    back.Spawn([client, upstream] { return Backwards(client, upstream); });
    while (true) {
      const std::string bytes = co_await client->ReadSome();
      if (bytes.empty()) break;
      co_await asio::async_write(*upstream, asio::buffer(bytes),
                                 asio::as_tuple(asio::use_awaitable));
    }
    upstream->close();
    co_await back.Join();
  }

  static Task<void> Backwards(Connection client,
                              std::shared_ptr<boost::asio::ip::tcp::socket> upstream) {
    namespace asio = boost::asio;
    while (true) {
      std::string bytes(16384, '\0');
      const auto [error, size] = co_await upstream->async_read_some(
          asio::buffer(bytes), asio::as_tuple(asio::use_awaitable));
      if (error) break;
      bytes.resize(size);
      co_await client->Write(std::move(bytes));
    }
    client->Close(false);
  }

  CurlHttp::Options Options(const LocalServer& server, std::optional<std::string> proxy) {
    return {.base_url = server.url(),
            .tls = {.ca_pem = authority_.ca_pem()},
            .proxy = std::move(proxy)};
  }

  TestAuthority authority_;
  std::vector<std::string> asked_for_;
};

TEST_F(CurlProxyTest, TunnelsTlsThroughAnHttpProxy) {
  auto& server = ServeHello();
  auto& proxy = ServeProxy(server);
  auto http = Client(Options(server, "http://user:pass@" + proxy.address()));
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, "hello");
  EXPECT_FALSE(answer->headers.Find("X-Proxy"));
  EXPECT_THAT(asked_for_, ElementsAre("CONNECT " + server.address() + " Basic dXNlcjpwYXNz"));
}

TEST_F(CurlProxyTest, TunnelsThroughSocks) {
  auto& server = ServeHello();
  auto& proxy = Serve([&](Connection client) { return Socks(client, server.port(), &asked_for_); });
  auto http = Client(Options(server, "socks5://" + proxy.address()));
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, "hello");
  EXPECT_THAT(asked_for_, ElementsAre("socks 1 1"));
}

TEST_F(CurlProxyTest, AsksAnHttpProxyForPlainAddresses) {
  auto& server = ServeHello();
  auto& proxy = ServeProxy(server);
  auto http = Client({.base_url = "http://example.invalid", .proxy = "http://" + proxy.address()});
  const auto answer = Run(http->Send(Get("/x")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, "from the proxy");
  EXPECT_THAT(asked_for_, ElementsAre("GET http://example.invalid/x -"));
}

TEST_F(CurlProxyTest, EnvironmentDecidesWhereNothingIsSaid) {
  auto& server = ServeHello();
  auto& proxy = ServeProxy(server);
  const Environment set("HTTPS_PROXY", "http://" + proxy.address());
  ASSERT_TRUE(Run(Client(Options(server, std::nullopt))->Send(Get("/"))));
  EXPECT_EQ(proxy.accepted(), 1);
  {
    const Environment except("NO_PROXY", "10.0.0.0/8,127.0.0.0/8");
    ASSERT_TRUE(Run(Client(Options(server, std::nullopt))->Send(Get("/"))));
    EXPECT_EQ(proxy.accepted(), 1);
    // A proxy that was named is used whatever the environment says.
    ASSERT_TRUE(Run(Client(Options(server, "http://" + proxy.address()))->Send(Get("/"))));
    EXPECT_EQ(proxy.accepted(), 2);
  }
  ASSERT_TRUE(Run(Client(Options(server, ""))->Send(Get("/"))));
  EXPECT_EQ(proxy.accepted(), 2);
}

TEST_F(CurlProxyTest, ExceptionsAreForTheHostAlsoWhenAnotherNameIsVerified) {
  auto& server = ServeAnswers(
      [](const HttpRequest&, const LocalConnection&) { return Text("hello"); },
      LocalServer::Tls{.identity =
                           authority_.Issue({.common_name = "x", .dns_names = {"kubernetes"}})});
  const Environment set("HTTPS_PROXY", "http://127.0.0.1:1");
  const Environment except("NO_PROXY", "127.0.0.1");
  CurlHttp::Options options = Options(server, std::nullopt);
  options.tls.server_name = "kubernetes";
  const auto answer = Run(Client(options)->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
}

Task<void> Forbid(LocalServer::Connection client) {
  co_await client->ReadRequest();
  co_await client->Answer({.status = 403, .headers = {}, .body = "no"});
}

TEST_F(CurlProxyTest, ProxyThatRefusesOrIsNotThereMeansUnavailable) {
  auto& server = ServeHello();
  auto& proxy = Serve(Forbid);
  const auto refused =
      Run(Client(Options(server, "http://user:pass@" + proxy.address()))->Send(Post("/", "x")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::kUnavailable) << refused.error().message();
  EXPECT_THAT(refused.error().message(), testing::Not(HasSubstr("pass")));

  const auto absent = Run(Client(Options(server, "http://127.0.0.1:1"))->Send(Post("/", "x")));
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind(), ErrorKind::kUnavailable) << absent.error().message();
}

}  // namespace
}  // namespace millwright::net
