#include "controllers/contract/remote/remote_clusters.h"

#include <gtest/gtest.h>

#include "controllers/contract/remote/kube_dialer.h"

namespace millwright::controllers::contract {
namespace {

WallTime At(int seconds) { return WallTime(std::chrono::seconds(seconds)); }

TEST(Probe, Capi_12_166_failures_count_and_success_forgets_them) {
  RemoteHealth health;
  for (int i = 1; i < kFailuresToDisconnect; ++i) {
    Note(health, ProbeAnswer::kFailed, At(i));
    EXPECT_EQ(health.failures, i);
    EXPECT_FALSE(EndsConnection(health, ProbeAnswer::kFailed)) << i;
  }
  RemoteHealth fifth = health;
  Note(fifth, ProbeAnswer::kFailed, At(5));
  EXPECT_TRUE(EndsConnection(fifth, ProbeAnswer::kFailed));

  Note(health, ProbeAnswer::kWell, At(6));
  EXPECT_EQ(health.failures, 0);
  EXPECT_EQ(health.last_success, At(6));
  EXPECT_FALSE(EndsConnection(health, ProbeAnswer::kWell));
}

TEST(Probe, Capi_12_166_refused_credentials_end_it_at_once) {
  RemoteHealth health;
  Note(health, ProbeAnswer::kUnauthenticated, At(1));
  EXPECT_EQ(health.failures, 1);
  EXPECT_TRUE(EndsConnection(health, ProbeAnswer::kUnauthenticated));
}

TEST(Probe, Capi_12_168_self_only_if_name_namespace_and_uid_match) {
  const OwnPod self{{"capi-system", "manager"}, Uid("u1")};
  const auto found = [](std::string space, std::string name, std::string uid) {
    kube::Meta meta;
    meta.key = {std::move(space), std::move(name)};
    meta.uid = Uid(std::move(uid));
    return std::optional(meta);
  };
  EXPECT_TRUE(IsSelf(self, found("capi-system", "manager", "u1")));
  EXPECT_FALSE(IsSelf(self, found("capi-system", "manager", "u2")));
  EXPECT_FALSE(IsSelf(self, found("capi-system", "other", "u1")));
  EXPECT_FALSE(IsSelf(self, found("default", "manager", "u1")));
  EXPECT_FALSE(IsSelf(self, std::nullopt));
}

std::string KubeconfigWith(const std::string& user) {
  return R"({"clusters":[{"name":"c","cluster":{"server":"https://10.0.0.1:6443"}}],
    "users":[{"name":"u","user":)" +
         user + R"(}],"contexts":[{"name":"x","context":{"cluster":"c","user":"u"}}],
    "current-context":"x"})";
}

TEST(SecretKubeconfig, takes_what_is_written_in_it) {
  const auto config = ReadSecretKubeconfig(KubeconfigWith(R"({"token":"t"})"));
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->server, "https://10.0.0.1:6443");
}

TEST(SecretKubeconfig, runs_no_programs_and_reads_no_files) {
  for (const char* user :
       {R"({"exec":{"command":"sh","apiVersion":"client.authentication.k8s.io/v1"}})",
        R"({"auth-provider":{"name":"gcp"}})", R"({"tokenFile":"/etc/hostname"})",
        R"({"client-certificate":"/a","client-key":"/b"})"}) {
    const auto config = ReadSecretKubeconfig(KubeconfigWith(user));
    ASSERT_FALSE(config) << user;
    EXPECT_EQ(config.error().kind(), ErrorKind::kInvalid);
  }
}

}  // namespace
}  // namespace millwright::controllers::contract
