#include "kube/config/kubeconfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "base/base64.h"

namespace millwright::kube {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kPem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

// One context "dev" of cluster "c" and user "u", each with the fields given as a flow mapping.
std::string File(const std::string& cluster, const std::string& user,
                 const std::string& context = "") {
  return "apiVersion: v1\nkind: Config\ncurrent-context: dev\n"
         "contexts: [{name: dev, context: {cluster: c, user: u" +
         context +
         "}}]\n"
         "clusters: [{name: c, cluster: " +
         cluster +
         "}]\n"
         "users: [{name: u, user: " +
         user + "}]\n";
}

Result<ClientConfig> Load(const std::string& text, std::string_view context = {}) {
  TRY(const Kubeconfig config, ParseKubeconfig(text, "/home/me/.kube/config"));
  return Resolve(config, context);
}

struct Case {
  const char* name;
  std::string cluster;
  std::string user;
  ClientConfig want;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.cluster << ' ' << c.user; }

class ResolveTest : public testing::TestWithParam<Case> {};

TEST_P(ResolveTest, GivesTheConfiguration) {
  const auto got = Load(File(GetParam().cluster, GetParam().user));
  ASSERT_TRUE(got) << got.error().message();
  ClientConfig want = GetParam().want;
  want.origin = "context dev in /home/me/.kube/config";
  EXPECT_EQ(got->server, want.server);
  EXPECT_EQ(got->tls, want.tls);
  EXPECT_EQ(got->credentials.index(), want.credentials.index());
  EXPECT_EQ(*got, want);
}

const std::string kServer = "{server: 'https://h:6443'}";

const Case kCases[] = {
    {"Anonymous", kServer, "{}", {.server = "https://h:6443"}},
    {"Token",
     kServer,
     "{token: abc}",
     {.server = "https://h:6443", .credentials = BearerToken{SecretText("abc")}}},
    {"TokenFileBesideTheKubeconfig",
     kServer,
     "{tokenFile: token}",
     {.server = "https://h:6443", .credentials = TokenFile{.path = "/home/me/.kube/token"}}},
    {"TokenFileWinsOverToken",
     kServer,
     "{tokenFile: /t, token: abc}",
     {.server = "https://h:6443",
      .credentials = TokenFile{.path = "/t", .fallback = SecretText("abc")}}},
    {"Password",
     kServer,
     "{username: me, password: p}",
     {.server = "https://h:6443",
      .credentials = BasicAuth{.username = "me", .password = SecretText("p")}}},
    {"CertificateFiles",
     kServer,
     "{client-certificate: ../c.crt, client-key: /k}",
     {.server = "https://h:6443",
      .tls = {.client_cert = {.file = "/home/me/c.crt"}, .client_key = {.file = "/k"}}}},
    {"CertificateData",
     kServer,
     "{client-certificate-data: " + EncodeBase64(kPem) +
         ", client-key-data: " + EncodeBase64(kPem) + ", client-certificate: ignored}",
     {.server = "https://h:6443",
      .tls = {.client_cert = {.pem = kPem}, .client_key = {.pem = SecretText(kPem)}}}},
    {"CertificateAndTokenTogether",
     kServer,
     "{client-certificate: /c, client-key: /k, token: abc}",
     {.server = "https://h:6443",
      .tls = {.client_cert = {.file = "/c"}, .client_key = {.file = "/k"}},
      .credentials = BearerToken{SecretText("abc")}}},
    {"AuthorityData",
     "{server: 'https://h', certificate-authority-data: " + EncodeBase64(kPem) + "}",
     "{}",
     {.server = "https://h", .tls = {.ca = {.pem = kPem}}}},
    {"ClusterSettings",
     "{server: 'https://h/prefix/', certificate-authority: ca.crt, tls-server-name: name, "
     "proxy-url: 'socks5://p:1', disable-compression: true}",
     "{}",
     {.server = "https://h/prefix",
      .tls = {.ca = {.file = "/home/me/.kube/ca.crt"}, .server_name = "name"},
      .proxy_url = "socks5://p:1",
      .disable_compression = true}},
    {"Insecure",
     "{server: 'https://h', insecure-skip-tls-verify: true}",
     "{}",
     {.server = "https://h", .tls = {.insecure_skip_verify = true}}},
    {"HostWithoutScheme", "{server: 'h:8080'}", "{}", {.server = "http://h:8080"}},
    {"HostWithAuthorityIsHttps",
     "{server: 'h:6443', certificate-authority: /ca}",
     "{}",
     {.server = "https://h:6443", .tls = {.ca = {.file = "/ca"}}}},
    {"NoCredentialsWithoutTls",
     "{server: 'http://h'}",
     "{token: abc, client-certificate: /c, client-key: /k}",
     {.server = "http://h"}},
    {"Impersonation",
     kServer,
     "{as: jane, as-uid: '7', as-groups: [a, b], as-user-extra: {scope: [x, z]}}",
     {.server = "https://h:6443",
      .impersonation =
          {.user = "jane", .uid = "7", .groups = {"a", "b"}, .extra = {{"scope", {"x", "z"}}}}}},
    {"Exec",
     "{server: 'https://h', extensions: [{name: client.authentication.k8s.io/exec, extension: {a: "
     "1}}]}",
     "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./get, args: [x], "
     "env: [{name: A, value: b}], interactiveMode: Never, provideClusterInfo: true, installHint: "
     "hint}}",
     {.server = "https://h",
      .credentials = ExecPlugin{.command = "/home/me/.kube/get",
                                .args = {"x"},
                                .env = {{"A", "b"}},
                                .api_version = "client.authentication.k8s.io/v1",
                                .install_hint = "hint",
                                .provide_cluster_info = true,
                                .cluster_config = {{"a", 1}}}}},
    {"ExecFromPathAsksIfItCan",
     kServer,
     "{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: aws}}",
     {.server = "https://h:6443",
      .credentials = ExecPlugin{.command = "aws",
                                .api_version = "client.authentication.k8s.io/v1beta1",
                                .interactive = ExecPlugin::Interactive::kIfAvailable}}},
    {"CertificateWinsOverExec",
     kServer,
     "{client-certificate: /c, client-key: /k, exec: {command: x}}",
     {.server = "https://h:6443",
      .tls = {.client_cert = {.file = "/c"}, .client_key = {.file = "/k"}}}},
    {"UnknownFieldsAreIgnored",
     "{server: 'https://h', colour: red}",
     "{mood: good}",
     {.server = "https://h"}},
    {"NullFieldsAreMissing",
     "{server: 'https://h', certificate-authority: null}",
     "{token: null}",
     {.server = "https://h"}},
};
INSTANTIATE_TEST_SUITE_P(All, ResolveTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  std::string text;
  const char* want;  // the whole message
};

void PrintTo(const BadCase& c, std::ostream* out) { *out << c.text; }

class KubeconfigErrorTest : public testing::TestWithParam<BadCase> {};

TEST_P(KubeconfigErrorTest, SaysWhatToDo) {
  const auto got = Load(GetParam().text);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind(), ErrorKind::kInvalid);
  EXPECT_EQ(got.error().message(), GetParam().want);
  EXPECT_THAT(got.error().message(), Not(HasSubstr("s3cret")));
}

const BadCase kErrors[] = {
    {"Empty", "", "the kubeconfig /home/me/.kube/config is empty; name another with --kubeconfig"},
    {"NoCurrentContext", "contexts: [{name: b}, {name: a}]",
     "/home/me/.kube/config sets no current-context; choose one with --context: a, b"},
    {"UnknownContext", "current-context: x\ncontexts: [{name: b}, {name: a}]",
     "there is no context \"x\" in /home/me/.kube/config; there are: a, b"},
    {"UnknownCluster",
     "current-context: x\ncontexts: [{name: x, context: {cluster: gone}}]\nclusters: [{name: z}]",
     "/home/me/.kube/config: context \"x\": it refers to the cluster \"gone\", which does not "
     "exist; "
     "there are: z"},
    {"UnknownUser",
     "current-context: x\ncontexts: [{name: x, context: {cluster: z, user: u}}]\nclusters: [{name: "
     "z}]",
     "/home/me/.kube/config: context \"x\": it refers to the user \"u\", which does not exist; "
     "there are: none"},
    {"NoCluster", "current-context: x\ncontexts: [{name: x}]",
     "/home/me/.kube/config: context \"x\": it names no cluster; there are: none"},
    {"NoServer", File("{}", "{}"),
     "/home/me/.kube/config: cluster \"c\": it has no server; set one (https://host:6443)"},
    {"BadAuthorityData", File("{server: 'https://h', certificate-authority-data: '***'}", "{}"),
     "/home/me/.kube/config: cluster \"c\": certificate-authority-data is not base64; write it "
     "with base64 -w0"},
    {"AuthorityNotPem", File("{server: 'https://h', certificate-authority-data: aGVsbG8=}", "{}"),
     "/home/me/.kube/config: cluster \"c\": certificate-authority-data is base64, but not of a PEM "
     "file"},
    {"BadKeyData", File(kServer, "{client-certificate: /c, client-key-data: s3cret!}"),
     "/home/me/.kube/config: user \"u\": client-key-data is not base64; write it with base64 -w0"},
    {"CertificateWithoutKey", File(kServer, "{client-certificate: /c}"),
     "/home/me/.kube/config: user \"u\": it has a client certificate but neither client-key nor "
     "client-key-data"},
    {"TwoWays", File(kServer, "{token: s3cret, username: me}"),
     "/home/me/.kube/config: user \"u\": it has both a token and a username and password; remove "
     "one"},
    {"InsecureWithAuthority",
     File("{server: 'https://h', insecure-skip-tls-verify: true, certificate-authority: /ca}",
          "{}"),
     "/home/me/.kube/config: cluster \"c\": it has both a certificate authority and "
     "insecure-skip-tls-verify; "
     "remove one"},
    {"BadProxy", File("{server: 'https://h', proxy-url: 'ftp://me:s3cret@p'}", "{}"),
     "/home/me/.kube/config: cluster \"c\": proxy-url must begin with http://, https:// or "
     "socks5://"},
    {"RemovedAuthProvider", File(kServer, "{auth-provider: {name: gcp, config: {token: s3cret}}}"),
     "/home/me/.kube/config: user \"u\": the auth-provider \"gcp\" is not supported; use an exec "
     "plugin instead: "
     "gke-gcloud-auth-plugin (gcloud container clusters get-credentials)"},
    {"UnknownAuthProvider", File(kServer, "{auth-provider: {name: acme}}"),
     "/home/me/.kube/config: user \"u\": the auth-provider \"acme\" is not supported; use an exec "
     "plugin instead: "
     "your provider's"},
    {"ExecWithoutCommand", File(kServer, "{exec: {apiVersion: client.authentication.k8s.io/v1}}"),
     "/home/me/.kube/config: user \"u\": exec has no command; set the plugin to run"},
    {"ExecOfOldVersion",
     File(kServer, "{exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1}}"),
     "/home/me/.kube/config: user \"u\": apiVersion of exec is "
     "\"client.authentication.k8s.io/v1alpha1\"; it must be "
     "client.authentication.k8s.io/v1 or v1beta1, so the plugin may have to be updated"},
    {"ExecV1WithoutMode",
     File(kServer, "{exec: {command: x, apiVersion: client.authentication.k8s.io/v1}}"),
     "/home/me/.kube/config: user \"u\": interactiveMode of exec must be Never, IfAvailable or "
     "Always"},
    {"GroupsWithoutUser", File(kServer, "{as-groups: [a]}"),
     "/home/me/.kube/config: user \"u\": as-uid, as-groups and as-user-extra need \"as\" to name a "
     "user"},
    {"NumberForText", File(kServer, "{token: 12345}"),
     "/home/me/.kube/config: user \"u\": \"token\" must be text; put quotes round it"},
    {"TextForBoolean", File("{insecure-skip-tls-verify: 'yes'}", "{}"),
     "/home/me/.kube/config: cluster \"c\": \"insecure-skip-tls-verify\" must be true or false"},
    {"ListForMapping", "clusters: {name: c}", "/home/me/.kube/config: \"clusters\" must be a list"},
    {"NameTwice", "users: [{name: u}, {name: u}]",
     "/home/me/.kube/config: \"users\" has two entries named \"u\"; remove one"},
    {"NoName", "users: [{user: {}}]",
     "/home/me/.kube/config: \"users\" has an entry without a name"},
    {"AnotherKind", "kind: Pod", "/home/me/.kube/config is not a kubeconfig but has kind \"Pod\""},
    {"NotAMapping", "- a", "/home/me/.kube/config is not a kubeconfig"},
    {"NotYaml", "a: [",
     "/home/me/.kube/config:2:1: did not find expected node content while parsing a flow node that "
     "begins at line 2"},
};
INSTANTIATE_TEST_SUITE_P(All, KubeconfigErrorTest, testing::ValuesIn(kErrors),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Resolve, TakesTheContextAskedFor) {
  const std::string text =
      "current-context: a\n"
      "contexts: [{name: a, context: {cluster: c, user: u}},"
      " {name: b, context: {cluster: d, user: u, namespace: team}}]\n"
      "clusters: [{name: c, cluster: {server: 'https://c'}}, {name: d, cluster: {server: "
      "'https://d'}}]\n"
      "users: [{name: u}]\n";
  EXPECT_EQ(Load(text)->server, "https://c");
  EXPECT_EQ(Load(text)->name_space, "default");
  EXPECT_EQ(Load(text, "b")->server, "https://d");
  EXPECT_EQ(Load(text, "b")->name_space, "team");
}

TEST(Resolve, DoesNotMindErrorsInOtherContexts) {
  const std::string text = File(kServer, "{}") + "preferences: {}\n";
  auto config = ParseKubeconfig(text, "f");
  ASSERT_TRUE(config);
  config->users["other"] = {.client_key_data = SecretText("not base64"), .auth_provider = "gcp"};
  EXPECT_TRUE(Resolve(*config));
}

TEST(MergeKubeconfigs, TheFirstWins) {
  auto first = ParseKubeconfig(
      "clusters: [{name: c, cluster: {server: 'https://first'}}]\nusers: [{name: u}]\n", "/a/one");
  auto second = ParseKubeconfig(
      "current-context: x\n"
      "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
      "clusters: [{name: c, cluster: {server: 'https://second', certificate-authority: ca}}, "
      "{name: d}]\n"
      "users: [{name: u, user: {tokenFile: t}}, {name: v, user: {tokenFile: t}}]\n",
      "/b/two");
  ASSERT_TRUE(first && second);
  const Kubeconfig merged = MergeKubeconfigs({*first, *second});
  EXPECT_EQ(merged.current_context, "x");
  EXPECT_EQ(merged.clusters.at("c").server, "https://first");
  // Nothing of the second file's cluster shows through.
  EXPECT_EQ(merged.clusters.at("c").certificate_authority, "");
  EXPECT_TRUE(merged.clusters.contains("d"));
  EXPECT_EQ(merged.users.at("u").token_file, "");
  // Paths are meant from the folder of their own file.
  EXPECT_EQ(merged.users.at("v").token_file, "/b/t");
  EXPECT_EQ(Resolve(merged)->origin, "context x in /a/one:/b/two");
}

}  // namespace
}  // namespace millwright::kube
