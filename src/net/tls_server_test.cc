#include "net/tls_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/ssl.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/log_capture.h"
#include "net/testing/manual_clock.h"
#include "net/testing/test_certificates.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Files in a directory of their own, replaced as careful people do it: by renaming.
class FilesFixture : public testing::Test {
 protected:
  FilesFixture() {
    std::filesystem::create_directories(directory_);
    Write(authority_.IssueServer());
  }
  ~FilesFixture() override { std::filesystem::remove_all(directory_); }

  void WriteFile(const std::string& name, const std::string& text) {
    std::ofstream(directory_ + "/new") << text;
    std::filesystem::rename(directory_ + "/new", directory_ + "/" + name);
  }
  void Write(const TestIdentity& identity) {
    WriteFile("tls.crt", identity.cert_pem);
    WriteFile("tls.key", identity.key_pem.Reveal());
  }
  TlsFiles Files() const { return {directory_ + "/tls.crt", directory_ + "/tls.key", ""}; }

  TestAuthority authority_;
  const std::string directory_ =
      testing::TempDir() + "/tls_server_test." + std::to_string(getpid());
};

class TlsServerTest : public FilesFixture {
 protected:
  std::unique_ptr<TlsServer> Create() {
    return TlsServer::Create(Files(), clock_, log_.For("net.server")).value();
  }

  ManualClock clock_;
  CapturingSink sink_;
  Log log_{sink_, clock_};
};

constexpr const char* kWarning = "new TLS files cannot be used, keeping the old ones";

TEST_F(TlsServerTest, UnchangedFilesAreNotLoadedAgain) {
  const auto server = Create();
  const auto first = server->Current();
  clock_.Advance(1h);
  EXPECT_EQ(server->Current(), first);
  EXPECT_TRUE(sink_.lines().empty());
}

TEST_F(TlsServerTest, ChangedFilesAreLoadedWithinASecond) {
  const auto server = Create();
  const auto first = server->Current();
  Write(authority_.IssueServer());
  clock_.Advance(999ms);
  EXPECT_EQ(server->Current(), first);
  clock_.Advance(1ms);
  const auto second = server->Current();
  EXPECT_NE(second, first);
  EXPECT_EQ(server->Current(), second);
  EXPECT_EQ(sink_.Count("TLS files reloaded"), 1U);
}

TEST_F(TlsServerTest, BrokenFilesChangeNothingAndAreReportedOnce) {
  const auto server = Create();
  const auto first = server->Current();
  WriteFile("tls.crt", "nonsense");
  for (int i = 0; i < 5; ++i) {
    clock_.Advance(1s);
    EXPECT_EQ(server->Current(), first);
  }
  EXPECT_EQ(sink_.Count(kWarning), 1U);
  Write(authority_.IssueServer());
  clock_.Advance(1s);
  EXPECT_NE(server->Current(), first);
}

TEST_F(TlsServerTest, SoAreMissingOnes) {
  const auto server = Create();
  const auto first = server->Current();
  std::filesystem::remove(Files().key);
  clock_.Advance(1s);
  EXPECT_EQ(server->Current(), first);
  clock_.Advance(1s);
  EXPECT_EQ(server->Current(), first);
  EXPECT_EQ(sink_.Count(kWarning), 1U);
}

TEST_F(TlsServerTest, AChangeHalfDoneIsWaitedOut) {
  const auto server = Create();
  const auto first = server->Current();
  const TestIdentity next = authority_.IssueServer();
  WriteFile("tls.crt", next.cert_pem);
  clock_.Advance(1s);
  EXPECT_EQ(server->Current(), first);
  WriteFile("tls.key", next.key_pem.Reveal());
  clock_.Advance(1s);
  EXPECT_NE(server->Current(), first);
}

TEST_F(TlsServerTest, FromMemoryNothingChanges) {
  const TestIdentity identity = authority_.IssueServer();
  const auto server =
      TlsServer::Create(TlsPem{identity.cert_pem, identity.key_pem, ""}, clock_, Logger()).value();
  const auto first = server->Current();
  clock_.Advance(1h);
  EXPECT_EQ(server->Current(), first);
}

class MakeServerContextTest : public testing::Test {
 protected:
  std::string ErrorFor(const TlsPem& pem) {
    const auto context = MakeServerContext(pem);
    if (context) return "";
    EXPECT_EQ(context.error().kind(), ErrorKind::kInvalid);
    return context.error().message();
  }

  TestAuthority authority_;
  const TestIdentity identity_ = authority_.IssueServer();
};

TEST_F(MakeServerContextTest, AcceptsWhatFits) {
  EXPECT_EQ(ErrorFor({identity_.cert_pem, identity_.key_pem, authority_.ca_pem()}), "");
}

TEST_F(MakeServerContextTest, SaysWhichPartIsWrong) {
  EXPECT_THAT(ErrorFor({"", identity_.key_pem, ""}), HasSubstr("certificate: "));
  EXPECT_THAT(ErrorFor({"x", identity_.key_pem, ""}), HasSubstr("certificate: "));
  EXPECT_THAT(ErrorFor({identity_.cert_pem, SecretText("x"), ""}), HasSubstr("key: "));
  EXPECT_THAT(ErrorFor({identity_.cert_pem, authority_.IssueServer().key_pem, ""}),
              HasSubstr("key: "));
  EXPECT_THAT(ErrorFor({identity_.cert_pem, identity_.key_pem, "x"}),
              HasSubstr("client certificate authorities: "));
}

TEST_F(TlsServerTest, MissingOrEmptyFilesFailAtTheStart) {
  TlsFiles files = Files();
  files.client_ca = directory_ + "/ca.crt";
  const auto missing = TlsServer::Create(files, clock_, Logger());
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message(), HasSubstr("cannot open " + files.client_ca));
  WriteFile("ca.crt", "");
  const auto empty = TlsServer::Create(files, clock_, Logger());
  ASSERT_FALSE(empty.has_value());
  EXPECT_THAT(empty.error().message(), HasSubstr("is empty"));
}

}  // namespace
}  // namespace millwright::net
