// The program as a person uses it, and what it says when something is wrong.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/e2e/fixture.h"

namespace millwright::e2e {
namespace {

using testing::HasSubstr;

class CommandE2e : public RealServerTest {
 protected:
  void SetUp() override {
    RealServerTest::SetUp();
    directory_ = std::filesystem::temp_directory_path() / ("millwright-" + name_space());
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override {
    RealServerTest::TearDown();
    std::filesystem::remove_all(directory_);
  }

  CommandResult Watch(const std::string& kubeconfig, const std::string& resource,
                      std::vector<std::string> more = {}) {
    std::vector<std::string> command{MILLWRIGHT_BINARY, "watch",        resource,
                                     "--once",          "--kubeconfig", kubeconfig};
    command.insert(command.end(), more.begin(), more.end());
    return RunCommand(command);
  }

  // What went wrong: one line for a person, one number for a script, and no secret.
  static void ExpectFailure(const CommandResult& result, int exit_code, const std::string& says) {
    EXPECT_EQ(result.exit_code, exit_code) << result.output;
    EXPECT_THAT(result.output, testing::StartsWith("millwright: "));
    EXPECT_THAT(result.output, HasSubstr(says));
    EXPECT_THAT(result.output, testing::Not(HasSubstr("secret-token")));
    EXPECT_EQ(std::ranges::count(result.output, '\n'), 1) << result.output;
  }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = directory_ / name;
    std::ofstream(path) << text;
    return path;
  }

  std::string Kubeconfig(const std::string& server, const std::string& ca_data) {
    return Write("kubeconfig",
                 "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                 "contexts: [{name: c, context: {cluster: c, user: u}}]\n"
                 "clusters: [{name: c, cluster: {server: '" +
                     server + "'" + ca_data +
                     "}}]\nusers: [{name: u, user: {token: secret-token}}]\n");
  }

  std::filesystem::path directory_;
};

TEST_F(CommandE2e, PrintsWhatIsThere) {
  const CommandResult listed = Watch(plane().Kubeconfig("reader"), "v1/namespaces");
  EXPECT_EQ(listed.exit_code, 0) << listed.output;
  EXPECT_THAT(listed.output, HasSubstr("kube-system"));
  const CommandResult as_json = Watch(plane().Kubeconfig("reader"), "v1/namespaces",
                                      {"-o", "json", "--field-selector", "metadata.name=default"});
  EXPECT_THAT(as_json.output, testing::AllOf(testing::StartsWith(R"({"event":"THERE","object":{)"),
                                             HasSubstr(R"("kind":"Namespace")")));
}

TEST_F(CommandE2e, AKubeconfigThatIsNotThere) {
  ExpectFailure(Watch("/no/such/file", "v1/nodes"), 3, "/no/such/file");
}

TEST_F(CommandE2e, AKubeconfigThatCannotBeRead) {
  // Even root cannot read a directory as a file.
  ExpectFailure(Watch(directory_, "v1/nodes"), 3, directory_);
}

TEST_F(CommandE2e, ABrokenKubeconfigNamesThePlace) {
  ExpectFailure(Watch(Write("broken", "apiVersion: v1\nclusters: [}\n"), "v1/nodes"), 3,
                "broken:2");
}

TEST_F(CommandE2e, AnUnknownContext) {
  ExpectFailure(Watch(plane().Kubeconfig("admin"), "v1/nodes", {"--context", "elsewhere"}), 4,
                "elsewhere");
}

TEST_F(CommandE2e, AnAuthorityThatIsNotGiven) {
  // The system's authorities are asked, and they do not know it.
  ExpectFailure(Watch(Kubeconfig(plane().server(), ""), "v1/nodes"), 5, "certificate");
}

TEST_F(CommandE2e, AWrongAuthority) {
  const std::string other = directory_ / "other-ca";
  const CommandResult made = RunCommand(
      {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
       "-nodes", "-subj", "/CN=another", "-keyout", directory_ / "other-key", "-out", other});
  ASSERT_EQ(made.exit_code, 0) << made.output;
  ExpectFailure(
      Watch(Kubeconfig(plane().server(), ", certificate-authority: " + other), "v1/nodes"), 5,
      "certificate");
}

TEST_F(CommandE2e, AnExpiredCertificate) {
  ExpectFailure(Watch(plane().MakeIdentity("late", {"--expired"}), "v1/nodes"), 6, "expired");
}

TEST_F(CommandE2e, ARefusedToken) {
  ExpectFailure(Watch(Kubeconfig(plane().server(), ", certificate-authority: " + plane().ca_file()),
                      "v1/nodes"),
                6, "renew the credentials");
}

TEST_F(CommandE2e, NoPermissionSaysWhatIsMissing) {
  ExpectFailure(Watch(plane().Kubeconfig("nobody"), "v1/nodes"), 7,
                "cannot list resource \"nodes\"");
}

TEST_F(CommandE2e, AServerThatIsNotKubernetes) {
  const std::string other = plane().AnotherHttpServer();
  if (other.empty()) GTEST_SKIP() << "the embedded server has no etcd beside it";
  ExpectFailure(Watch(Kubeconfig(other, ""), "v1/nodes"), 8, "not a Kubernetes API server");
}

TEST_F(CommandE2e, NobodyThere) {
  ExpectFailure(Watch(Kubeconfig("https://127.0.0.1:1", ""), "v1/nodes"), 9, "is the server up");
}

TEST_F(CommandE2e, AnUnknownResource) {
  ExpectFailure(Watch(plane().Kubeconfig("admin"), "example.com/v1/things"), 10,
                "example.com/v1/things");
}

TEST_F(CommandE2e, WrongUsage) {
  EXPECT_EQ(RunCommand({MILLWRIGHT_BINARY, "watch"}).exit_code, 2);
  EXPECT_EQ(RunCommand({MILLWRIGHT_BINARY, "nonsense"}).exit_code, 2);
  EXPECT_EQ(Watch(plane().Kubeconfig("admin"), "nodes").exit_code, 2);
}

TEST_F(CommandE2e, HelpAndVersionAndCompletion) {
  EXPECT_THAT(RunCommand({MILLWRIGHT_BINARY, "--help"}).output, HasSubstr("examples:"));
  EXPECT_THAT(RunCommand({MILLWRIGHT_BINARY, "--version"}).output, HasSubstr("millwright 0."));
  const CommandResult completed = RunCommand(
      {"bash", "-c",
       std::string("source <(") + MILLWRIGHT_BINARY +
           " completion bash); COMP_WORDS=(millwright watch v1/nodes --on); COMP_CWORD=3; "
           "_millwright; echo \"${COMPREPLY[*]}\""});
  EXPECT_EQ(completed.output, "--once\n");
}

}  // namespace
}  // namespace millwright::e2e
