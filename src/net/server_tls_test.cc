// Who gets in over TLS, and as whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "net/server_fake_server.h"
#include "net/testing/test_certificates.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::MatchesRegex;
using testing::StartsWith;

using Context = boost::asio::ssl::context;

constexpr const char* kGet = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

class TlsTest : public ServerFixture, public testing::Test {
 protected:
  void StartTrusting(const std::string& client_ca) {
    const TestIdentity identity = servers_.IssueServer();
    ServerOptions options;
    options.tls = TlsPem{identity.cert_pem, identity.key_pem, client_ca};
    Start(std::move(options));
  }

  // A client that trusts the server and shows a certificate, if it has one.
  std::unique_ptr<Context> ClientContext(const TestIdentity* identity = nullptr) {
    auto context = std::make_unique<Context>(Context::tls_client);
    context->add_certificate_authority(boost::asio::buffer(servers_.ca_pem()));
    context->set_verify_mode(boost::asio::ssl::verify_peer);
    if (identity != nullptr) {
      context->use_certificate_chain(boost::asio::buffer(identity->cert_pem));
      context->use_private_key(boost::asio::buffer(identity->key_pem.Reveal()), Context::pem);
    }
    return context;
  }

  // The answer to a request, empty if the server does not let us in. With TLS 1.3 a client learns
  // only after its handshake what the server thinks of its certificate.
  std::string Ask(Context& context) {
    RawClient client(loop_, port(), &context);
    if (!client.Connect()) return "";
    return client.Send(kGet) ? client.ReadThrough("GET:") : "";
  }

  TestAuthority servers_{"servers"};
  TestAuthority clients_{"clients"};
};

TEST_F(TlsTest, ACertificateSaysWhoTheClientIs) {
  StartTrusting(clients_.ca_pem());
  TestAuthority::Request request;
  request.common_name = "system:node:a";
  request.organizations = {"system:nodes", "system:masters"};
  request.dns_names = {"a.example"};
  request.addresses = {"10.0.0.1", "fd00::1"};
  const TestIdentity identity = clients_.Issue(request);
  const auto context = ClientContext(&identity);
  EXPECT_THAT(Ask(*context), StartsWith("HTTP/1.1 200 OK"));
  ASSERT_EQ(handler_.requests.size(), 1U);
  const PeerIdentity& peer = handler_.requests[0].peer;
  EXPECT_TRUE(peer.verified);
  EXPECT_EQ(peer.common_name, "system:node:a");
  EXPECT_THAT(peer.organizations, ElementsAre("system:nodes", "system:masters"));
  EXPECT_THAT(peer.dns_names, ElementsAre("a.example"));
  EXPECT_THAT(peer.ip_addresses, ElementsAre("10.0.0.1", "fd00::1"));
  EXPECT_THAT(peer.address, StartsWith("127.0.0.1:"));
  EXPECT_THAT(peer.fingerprint, MatchesRegex("[0-9a-f]{64}"));
}

TEST_F(TlsTest, WithoutACertificateTheClientIsNobody) {
  StartTrusting(clients_.ca_pem());
  const auto context = ClientContext();
  EXPECT_THAT(Ask(*context), StartsWith("HTTP/1.1 200 OK"));
  EXPECT_FALSE(handler_.requests.at(0).peer.verified);
  EXPECT_EQ(handler_.requests.at(0).peer.common_name, "");
}

TEST_F(TlsTest, WithoutClientAuthoritiesNobodyIsAsked) {
  StartTrusting("");
  const TestIdentity identity = clients_.IssueClient("root");
  const auto context = ClientContext(&identity);
  EXPECT_THAT(Ask(*context), StartsWith("HTTP/1.1 200 OK"));
  EXPECT_FALSE(handler_.requests.at(0).peer.verified);
  EXPECT_EQ(handler_.requests.at(0).peer.common_name, "");
}

TEST_F(TlsTest, OthersCannotVouch) {
  StartTrusting(clients_.ca_pem());
  TestAuthority impostor("clients");
  const TestIdentity identity = impostor.IssueClient("root");
  const auto context = ClientContext(&identity);
  EXPECT_EQ(Ask(*context), "");
  EXPECT_TRUE(handler_.requests.empty());
}

TEST_F(TlsTest, ExpiredCertificatesDoNotCount) {
  StartTrusting(clients_.ca_pem());
  TestAuthority::Request request;
  request.common_name = "late";
  request.ends = request.begins + 24h;
  const TestIdentity identity = clients_.Issue(request);
  const auto context = ClientContext(&identity);
  EXPECT_EQ(Ask(*context), "");
  EXPECT_TRUE(handler_.requests.empty());
}

TEST_F(TlsTest, OffersHttp11) {
  StartTrusting("");
  const auto context = ClientContext();
  const std::string offered = "\x02h2\x08http/1.1";
  SSL_CTX_set_alpn_protos(context->native_handle(),
                          reinterpret_cast<const unsigned char*>(offered.data()),
                          static_cast<unsigned>(offered.size()));
  RawClient client(loop_, port(), context.get());
  ASSERT_TRUE(client.Connect());
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(client.ssl(), &name, &size);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(name), size), "http/1.1");
}

TEST_F(TlsTest, ThoseWhoSpeakOnlyHttp2AreTurnedAway) {
  StartTrusting("");
  const auto context = ClientContext();
  const std::string offered = "\x02h2";
  SSL_CTX_set_alpn_protos(context->native_handle(),
                          reinterpret_cast<const unsigned char*>(offered.data()),
                          static_cast<unsigned>(offered.size()));
  EXPECT_FALSE(RawClient(loop_, port(), context.get()).Connect());
}

TEST_F(TlsTest, Tls12IsTheOldest) {
  StartTrusting("");
  const auto context = ClientContext();
  SSL_CTX_set_security_level(context->native_handle(), 0);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(context->native_handle(), TLS1_1_VERSION);
  EXPECT_EQ(Ask(*context), "");
  SSL_CTX_set_max_proto_version(context->native_handle(), TLS1_2_VERSION);
  EXPECT_THAT(Ask(*context), StartsWith("HTTP/1.1 200 OK"));
}

TEST_F(TlsTest, PlainHttpIsNotUnderstood) {
  StartTrusting("");
  RawClient client(loop_, port());
  ASSERT_TRUE(client.Connect());
  ASSERT_TRUE(client.Send(kGet));
  client.ReadToEnd();
  EXPECT_TRUE(handler_.requests.empty());
}

TEST_F(TlsTest, AClientThatDoesNotShakeHandsIsCut) {
  StartTrusting("");
  RawClient client(loop_, port());
  ASSERT_TRUE(client.Connect());
  loop_.RunUntil([&] { return server_->connections() == 1; });
  loop_.RunUntil([&] {
    clock_.Advance(10s);
    return server_->connections() == 0;
  });
  EXPECT_EQ(client.ReadToEnd(), "");
}

class ReloadTest : public TlsTest {
 protected:
  ReloadTest() {
    std::filesystem::create_directories(directory_);
    Write();
  }
  ~ReloadTest() override { std::filesystem::remove_all(directory_); }

  void Write() {
    const TestIdentity identity = servers_.IssueServer();
    std::ofstream(directory_ + "/new.crt") << identity.cert_pem;
    std::ofstream(directory_ + "/new.key") << identity.key_pem.Reveal();
    std::filesystem::rename(directory_ + "/new.crt", directory_ + "/tls.crt");
    std::filesystem::rename(directory_ + "/new.key", directory_ + "/tls.key");
  }

  static long SerialSeenBy(RawClient& client) {
    return ASN1_INTEGER_get(X509_get0_serialNumber(SSL_get0_peer_certificate(client.ssl())));
  }

  const std::string directory_ =
      testing::TempDir() + "/server_tls_test." + std::to_string(getpid());
};

TEST_F(ReloadTest, NewConnectionsSeeTheNewCertificateAndOldOnesGoOn) {
  ServerOptions options;
  options.tls = TlsFiles{directory_ + "/tls.crt", directory_ + "/tls.key", ""};
  Start(std::move(options));
  const auto context = ClientContext();
  RawClient before(loop_, port(), context.get());
  ASSERT_TRUE(before.Connect());

  Write();
  clock_.Advance(1s);
  RawClient after(loop_, port(), context.get());
  ASSERT_TRUE(after.Connect());
  EXPECT_NE(SerialSeenBy(after), SerialSeenBy(before));
  EXPECT_THAT(after.Exchange(kGet, "GET:"), StartsWith("HTTP/1.1 200 OK"));
  EXPECT_THAT(before.Exchange(kGet, "GET:"), StartsWith("HTTP/1.1 200 OK"));
}

}  // namespace
}  // namespace millwright::net
