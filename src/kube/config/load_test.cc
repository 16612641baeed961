#include "kube/config/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/config/fake_surroundings.h"

namespace millwright::kube {
namespace {

using testing::HasSubstr;

std::string Named(const std::string& name) {
  return "current-context: " + name + "\ncontexts: [{name: " + name +
         ", context: {cluster: c, user: u}}]\n" +
         "clusters: [{name: c, cluster: {server: 'https://" + name + "'}}]\nusers: [{name: u}]\n";
}

const std::string kAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

class LoadClientConfigTest : public testing::Test {
 protected:
  LoadClientConfigTest() {
    files_.Write("/explicit", Named("explicit"));
    files_.Write("/one", Named("one"));
    files_.Write("/two", Named("two"));
    files_.Write("/home/.kube/config", Named("home"));
    files_.Write(kAccount + "/token", "t\n");
    files_.Write(kAccount + "/ca.crt", "pem");
    files_.Write(kAccount + "/namespace", "prod\n");
  }

  // The server's host, or the error.
  std::string Load(const LoadOptions& options) {
    const auto config = LoadClientConfig(options, files_.With(env_));
    return config ? config->server : config.error().message();
  }

  FakeFiles files_;
  std::map<std::string, std::string> env_ = {{"HOME", "/home"},
                                             {"KUBECONFIG", "/missing:/one:/two:/one"},
                                             {"KUBERNETES_SERVICE_HOST", "10.0.0.1"},
                                             {"KUBERNETES_SERVICE_PORT", "443"}};
};

TEST_F(LoadClientConfigTest, TheFileAskedForComesFirst) {
  EXPECT_EQ(Load({.kubeconfig = "/explicit"}), "https://explicit");
}

TEST_F(LoadClientConfigTest, ThenTheFilesOfTheEnvironment) {
  EXPECT_EQ(Load({}), "https://one");
  EXPECT_EQ(Load({.context = "two"}), "https://one") << "the first cluster named c wins";
}

TEST_F(LoadClientConfigTest, ThenTheServiceAccount) {
  env_.erase("KUBECONFIG");
  const auto config = LoadClientConfig({}, files_.With(env_));
  ASSERT_TRUE(config);
  EXPECT_EQ(*config, (ClientConfig{.origin = "the service account of this pod",
                                   .server = "https://10.0.0.1:443",
                                   .name_space = "prod",
                                   .tls = {.ca = {.file = kAccount + "/ca.crt"}},
                                   .credentials = TokenFile{.path = kAccount + "/token"}}));
}

TEST_F(LoadClientConfigTest, BracketsAnIpv6Address) {
  env_.erase("KUBECONFIG");
  env_["KUBERNETES_SERVICE_HOST"] = "fd00::1";
  EXPECT_EQ(Load({}), "https://[fd00::1]:443");
}

TEST_F(LoadClientConfigTest, ThenTheHomeFolder) {
  env_.erase("KUBECONFIG");
  env_.erase("KUBERNETES_SERVICE_HOST");
  EXPECT_EQ(Load({}), "https://home");
}

TEST_F(LoadClientConfigTest, AContextIsLookedForInFilesOnly) {
  env_.erase("KUBECONFIG");
  EXPECT_EQ(Load({.context = "home"}), "https://home");
}

TEST_F(LoadClientConfigTest, APodWithoutAnAccountIsNoCluster) {
  env_.erase("KUBECONFIG");
  files_.Remove(kAccount + "/token");
  EXPECT_EQ(Load({}), "https://home");
}

TEST_F(LoadClientConfigTest, ListsWhatWasTried) {
  EXPECT_EQ(
      LoadClientConfig({}, FakeFiles().With({{"HOME", "/home"}})).error().message(),
      "no cluster is configured: $KUBECONFIG is not set, we do not run in a pod with a service "
      "account, and /home/.kube/config does not exist; name a file with --kubeconfig");
  EXPECT_THAT(LoadClientConfig({}, FakeFiles().With()).error().message(),
              HasSubstr("$HOME is not set"));
}

TEST_F(LoadClientConfigTest, NamesTheFileItCannotRead) {
  EXPECT_EQ(Load({.kubeconfig = "/nowhere"}),
            "cannot read the kubeconfig /nowhere: No such file or directory; check the path");
  files_.Forbid("/explicit");
  EXPECT_EQ(Load({.kubeconfig = "/explicit"}),
            "cannot read the kubeconfig /explicit: Permission denied; check who may read it");
  files_.Forbid("/two");
  EXPECT_EQ(Load({}), "cannot read the kubeconfig /two: Permission denied; check who may read it");
}

TEST_F(LoadClientConfigTest, AnEnvironmentThatNamesNoFileIsAnError) {
  env_["KUBECONFIG"] = "/missing";
  EXPECT_EQ(Load({}), "none of the files in $KUBECONFIG exists (/missing); correct or unset it");
}

TEST(SurroundingsOfThisProcess, ReadsRealFiles) {
  const Surroundings surroundings = SurroundingsOfThisProcess();
  const std::string self = MILLWRIGHT_SOURCE_DIR "/src/kube/config/load_test.cc";
  EXPECT_THAT(surroundings.read_file(self).value_or(""), HasSubstr("ReadsRealFiles"));
  EXPECT_TRUE(surroundings.stamp_file(self));
  EXPECT_EQ(surroundings.stamp_file(self), surroundings.stamp_file(self));
  EXPECT_EQ(surroundings.read_file("/no/such").error().kind(), ErrorKind::kNotFound);
  EXPECT_FALSE(surroundings.read_file("/").has_value());
  EXPECT_FALSE(surroundings.stamp_file("/no/such"));
  EXPECT_FALSE(surroundings.Env("PATH").empty());
}

}  // namespace
}  // namespace millwright::kube
