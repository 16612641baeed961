// The fixture of the tests of Http2Client.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "net/http2_client.h"
#include "net/testing/http2_peer.h"
#include "net/testing/net_fixture.h"

namespace millwright::net {

class Http2Fixture : public NetFixture {
 protected:
  using PeerPtr = std::shared_ptr<Http2Peer>;

  std::unique_ptr<Http2Client> Client(ClientOptions options) {
    auto client = Http2Client::Create(executor(), clock_, std::move(options));
    if (!client) throw std::runtime_error(client.error().message());
    return *std::move(client);
  }

  ClientOptions OptionsFor(const std::string& url) {
    return {.base_url = url, .tls = {.ca_pem = authority_.ca_pem()}, .proxy = ""};
  }
  std::unique_ptr<Http2Client> ClientAt(const std::string& url) { return Client(OptionsFor(url)); }

  LocalServer::Tls Http2Tls() {
    return {.identity = authority_.IssueServer(), .protocols = {"h2", "http/1.1"}};
  }

  // The handler gets a peer for each connection, not yet greeted.
  LocalServer& ServePeers(std::function<Task<void>(PeerPtr)> handler) {
    auto shared = std::make_shared<std::function<Task<void>(PeerPtr)>>(std::move(handler));
    return Serve(
        [shared](Connection connection) {
          return (*shared)(std::make_shared<Http2Peer>(std::move(connection)));
        },
        Http2Tls());
  }

  // Answers every request on every connection, until the client goes.
  LocalServer& ServeHttp2(Answers answers) { return ServeHttp2(std::move(answers), Http2Tls()); }
  LocalServer& ServeHttp2(Answers answers, LocalServer::Tls tls) {
    auto shared = std::make_shared<Answers>(std::move(answers));
    return Serve([shared](Connection connection) { return AnswerPeer(connection, shared); },
                 std::move(tls));
  }

  static Task<void> AnswerPeer(Connection connection, std::shared_ptr<Answers> answers) {
    Http2Peer peer(connection);
    co_await peer.Greet();
    while (true) {
      const auto asked = co_await peer.Next();
      if (!asked) co_return;
      co_await peer.Answer(asked->stream, (*answers)(asked->request, *connection));
    }
  }

  TestAuthority authority_;
};

}  // namespace millwright::net
