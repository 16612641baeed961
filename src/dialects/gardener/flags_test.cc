// Upstream's flags: names, defaults, what is refused. The expectations are written out here and not
// read from the table.
#include "dialects/gardener/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/gardener/program_options.h"

namespace millwright::dialects::gardener {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct DefaultCase {
  const char* flag;
  const char* sets;      // null: it has no such flag
  const char* machines;  // likewise
};

constexpr DefaultCase kDefaults[] = {
    {"port", "10258", "10259"},
    {"address", "0.0.0.0", "0.0.0.0"},
    {"namespace", "default", "default"},
    {"target-kubeconfig", "", ""},
    {"control-kubeconfig", "", ""},
    {"concurrent-syncs", "10", "50"},
    {"min-resync-period", "12h", "12h"},
    {"kube-api-qps", "20", "20"},
    {"kube-api-burst", "30", "30"},
    {"kube-api-content-type", "application/vnd.kubernetes.protobuf",
     "application/vnd.kubernetes.protobuf"},
    {"cloud-provider", "", ""},
    {"controller-start-interval", "0s", "0s"},
    {"profiling", "false", "false"},
    {"contention-profiling", "false", "false"},
    {"leader-elect", "true", "true"},
    {"leader-elect-lease-duration", "15s", "15s"},
    {"leader-elect-renew-deadline", "10s", "10s"},
    {"leader-elect-retry-period", "2s", "2s"},
    {"leader-elect-resource-lock", "leases", "leases"},
    {"v", "0", "0"},
    {"vmodule", "", ""},
    {"log-flush-frequency", "5s", "5s"},
    {"safety-up", "2", nullptr},
    {"safety-down", "1", nullptr},
    {"machine-safety-overshooting-period", "1m", nullptr},
    {"autoscaler-scaledown-annotation-during-rollout", "true", nullptr},
    {"machine-creation-timeout", nullptr, "20m"},
    {"machine-health-timeout", nullptr, "10m"},
    {"machine-drain-timeout", nullptr, "2h"},
    {"machine-inplace-update-timeout", nullptr, "20m"},
    {"machine-preserve-timeout", nullptr, "96h"},
    {"machine-max-evict-retries", nullptr, "360"},
    {"machine-pv-detach-timeout", nullptr, "2m"},
    {"machine-pv-reattach-timeout", nullptr, "90s"},
    {"machine-safety-orphan-vms-period", nullptr, "15m"},
    {"machine-safety-apiserver-statuscheck-timeout", nullptr, "30s"},
    {"machine-safety-apiserver-statuscheck-period", nullptr, "1m"},
    {"node-conditions", nullptr,
     "KernelDeadlock,ReadonlyFilesystem,DiskPressure,NetworkUnavailable"},
    {"bootstrap-token-auth-extra-groups", nullptr, ""},
    {"resource-exhausted-retry", nullptr, "10m"},
};

const Flag* Find(const std::vector<Flag>& flags, std::string_view name) {
  const auto found = std::ranges::find(flags, name, &Flag::name);
  return found == flags.end() ? nullptr : &*found;
}

void ExpectDefault(const std::vector<Flag>& flags, const DefaultCase& expected, const char* value) {
  const Flag* flag = Find(flags, expected.flag);
  ASSERT_EQ(flag != nullptr, value != nullptr) << expected.flag;
  if (flag != nullptr) EXPECT_EQ(flag->fallback, value) << expected.flag;
}

TEST(GardenerFlagsTest, DefaultsAreUpstreams) {
  const auto sets = FlagsOf(Program::kSets);
  const auto machines = FlagsOf(Program::kMachines);
  for (const DefaultCase& expected : kDefaults) {
    ExpectDefault(sets, expected, expected.sets);
    ExpectDefault(machines, expected, expected.machines);
  }
}

TEST(GardenerFlagsTest, EveryDefaultIsOfItsTypeAndEveryFlagSaysWhatItIsFor) {
  for (const Program program : {Program::kBoth, Program::kSets, Program::kMachines}) {
    EXPECT_TRUE(ReadFlags(program, {}));
    for (const Flag& flag : FlagsOf(program)) EXPECT_FALSE(flag.meaning.empty()) << flag.name;
  }
}

TEST(GardenerFlagsTest, OneProgramForAllHasTheFlagsOfBoth) {
  const auto both = FlagsOf(Program::kBoth);
  EXPECT_EQ(both.size(), FlagRows().size());
  EXPECT_EQ(Find(both, "port")->fallback, "10258");
  EXPECT_EQ(Find(both, "concurrent-syncs")->fallback, "50");
}

TEST(GardenerFlagsTest, EveryFlagMayBeWrittenWithUnderscores) {
  for (const Flag& flag : FlagsOf(Program::kBoth)) {
    std::string name(flag.name);
    std::ranges::replace(name, '-', '_');
    const std::string word = "--" + name + "=" + std::string(flag.fallback);
    EXPECT_TRUE(ReadFlags(Program::kBoth, std::vector{word})) << word;
  }
}

TEST(GardenerFlagsTest, FlagsWithoutEffectAreAcceptedAndNamedOnce) {
  const std::vector<std::string> words{"--cloud-provider=aws", "--min_resync_period=1h",
                                       "--cloud-provider=gcp", "--logtostderr", "--port=1"};
  EXPECT_THAT(ReadFlags(Program::kSets, words)->ignored,
              ElementsAre("min-resync-period", "cloud-provider", "logtostderr"));
  EXPECT_THAT(ReadFlags(Program::kSets, {})->ignored, IsEmpty());
}

TEST(GardenerFlagsTest, RequestsAreLimitedOnlyIfSomebodyAsksForThat) {
  EXPECT_EQ(ReadFlags(Program::kBoth, {})->limit, std::nullopt);
  const std::vector<std::string> qps{"--kube-api-qps=5"};
  EXPECT_EQ(ReadFlags(Program::kBoth, qps)->limit, (RequestLimit{5, 30}));
  const std::vector<std::string> burst{"--kube-api-burst=7"};
  EXPECT_EQ(ReadFlags(Program::kBoth, burst)->limit, (RequestLimit{20, 7}));
}

TEST(GardenerFlagsTest, ValuesArriveWhereTheyBelong) {
  const std::vector<std::string> words{"--safety-up=5",
                                       "--machine-creation-timeout=3m",
                                       "--node-conditions=A,,B",
                                       "--leader-elect=false",
                                       "--v=4",
                                       "--machine-max-evict-retries=9",
                                       "--kube-api-qps=2.5",
                                       "--concurrent-syncs=7",
                                       "--secret-names=one,two",
                                       "--namespace=shoot"};
  const ProgramOptions options = *ReadFlags(Program::kBoth, words);
  EXPECT_EQ(options.sets->safety_up, 5);
  EXPECT_EQ(options.machines->creation, 3min);
  EXPECT_THAT(options.machines->node_conditions, ElementsAre("A", "B"));
  EXPECT_FALSE(options.election);
  EXPECT_TRUE(options.log_everything);
  EXPECT_EQ(options.machines->evict_retries, 9);
  EXPECT_EQ(options.limit->per_second, 2.5);
  EXPECT_EQ(options.workers, 7u);
  EXPECT_THAT(options.machines->secret_names, ElementsAre("one", "two"));
  EXPECT_EQ(options.namespace_, "shoot");
}

struct WrongCase {
  const char* name;
  const char* word;
  const char* says;
  Program program = Program::kBoth;
};

class WrongGardenerFlagTest : public testing::TestWithParam<WrongCase> {};

TEST_P(WrongGardenerFlagTest, IsRefusedWithItsName) {
  const auto options = ReadFlags(GetParam().program, std::vector<std::string>{GetParam().word});
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(options.error().message(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongGardenerFlagTest,
    testing::Values(
        WrongCase{"NoPort", "--port=0", "--port"},
        WrongCase{"PortTooLarge", "--port=65536", "--port"},
        WrongCase{"NoAddress", "--address=localhost", "no IP address"},
        WrongCase{"NoWorkers", "--concurrent-syncs=0", "--concurrent-syncs must be positive"},
        WrongCase{"NoRate", "--kube-api-qps=0", "--kube-api-qps must be positive"},
        WrongCase{"NegativeTime", "--machine-drain-timeout=-1s", "must not be negative"},
        WrongCase{"NegativeIgnoredTime", "--min-resync-period=-1s", "must not be negative"},
        WrongCase{"NegativeNumber", "--safety-up=-1", "--safety-up"},
        WrongCase{"ContentionAlone", "--contention-profiling", "needs --profiling"},
        WrongCase{"OtherLock", "--leader-elect-resource-lock=endpoints", "only 'leases'"},
        WrongCase{"LeaseTooShort", "--leader-elect-lease-duration=5s", "must be longer"},
        WrongCase{"RetryTooLong", "--leader-elect-retry-period=1m", "must be longer"},
        WrongCase{"EmptyNamespace", "--namespace=", "--namespace"},
        WrongCase{"NoCluster", "--target-kubeconfig=none", "needs --control-kubeconfig"},
        WrongCase{"Unknown", "--machine-creation-timeuot=1s", "no flag"},
        WrongCase{"OfTheOther", "--safety-up=1", "a flag of the machine-controller-manager",
                  Program::kMachines},
        WrongCase{"OfTheOneForMachines", "--machine_drain_timeout=1s",
                  "a flag of the machine-controller", Program::kSets}),
    [](const auto& test) { return std::string(test.param.name); });

struct ClusterCase {
  const char* control;
  const char* target;
  Clusters expected;
};

using From = ClusterSource::From;

class ClustersTest : public testing::TestWithParam<ClusterCase> {};

TEST_P(ClustersTest, AreChosenAsUpstreamChoosesThem) {
  EXPECT_EQ(*ChooseClusters(GetParam().control, GetParam().target), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, ClustersTest,
    testing::Values(
        ClusterCase{"", "", {{From::kAsKubectl, ""}, ClusterSource{From::kAsKubectl, ""}}},
        ClusterCase{"", "t", {{From::kFile, "t"}, ClusterSource{From::kFile, "t"}}},
        ClusterCase{"inClusterConfig", "t", {{From::kPod, ""}, ClusterSource{From::kFile, "t"}}},
        ClusterCase{"c", "t", {{From::kFile, "c"}, ClusterSource{From::kFile, "t"}}},
        ClusterCase{"c", "", {{From::kFile, "c"}, ClusterSource{From::kPod, ""}}},
        ClusterCase{"c", "none", {{From::kFile, "c"}, std::nullopt}},
        ClusterCase{"inClusterConfig", "none", {{From::kPod, ""}, std::nullopt}}));

TEST(ProgramTest, TheNameOfTheProgramSaysWhatItDoes) {
  EXPECT_EQ(ProgramNamed("machine-controller-manager"), Program::kSets);
  EXPECT_EQ(ProgramNamed("machine-controller"), Program::kMachines);
  EXPECT_EQ(ProgramNamed("millwright"), std::nullopt);
}

TEST(ProgramTest, WhoDoesAllHoldsBothLeases) {
  EXPECT_THAT(LeasesOf(Program::kBoth),
              ElementsAre("machine-controller-manager", "machine-controller"));
  EXPECT_THAT(LeasesOf(Program::kSets), ElementsAre("machine-controller-manager"));
  EXPECT_THAT(LeasesOf(Program::kMachines), ElementsAre("machine-controller"));
}

}  // namespace
}  // namespace millwright::dialects::gardener
