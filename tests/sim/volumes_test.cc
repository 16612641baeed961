// Volumes of a machine that goes although its pods do not.
#include "tests/sim/feature_test.h"

namespace millwright::sim {
namespace {

using namespace std::chrono_literals;

constexpr const char* kAttachments = "/apis/storage.k8s.io/v1/volumeattachments";

class VolumesTest : public FeatureTest {};

TEST_F(VolumesTest, Gardener_13_066_AfterAForcedDrainAttachmentsAreRemoved) {
  Begin(1);
  ASSERT_TRUE(UntilRunning(1)) << Dump();
  const std::string name = NameOf(Machines().at(0));
  for (const std::string& node : {name, std::string("another")}) {
    const boost::json::value attachment{
        {"apiVersion", "storage.k8s.io/v1"},
        {"kind", "VolumeAttachment"},
        {"metadata", {{"name", "at-" + node}, {"finalizers", boost::json::array{"a.example/b"}}}},
        {"spec",
         {{"attacher", "a.example"},
          {"nodeName", node},
          {"source", {{"persistentVolumeName", "v"}}}}}};
    ASSERT_EQ(cluster_.Ask("POST", kAttachments, boost::json::serialize(attachment)).status, 201);
  }
  cluster_.Ask("PATCH", Node(name) + "/status",
               R"({"status":{"volumesAttached":[{"name":"v","devicePath":""}]}})",
               "application/merge-patch+json");
  Label(At("machines", name), "force-deletion", "true");
  cluster_.Ask("DELETE", At("machines", name));
  ASSERT_TRUE(
      cluster_.Until([&] { return cluster_.Ask("GET", At("machines", name)).status == 404; }, 1min))
      << Dump();
  EXPECT_TRUE(
      Has(cluster_.Get(kAttachments + std::string("/at-") + name), "/metadata/deletionTimestamp"));
  EXPECT_FALSE(
      Has(cluster_.Get(kAttachments + std::string("/at-another")), "/metadata/deletionTimestamp"));
}

}  // namespace
}  // namespace millwright::sim
