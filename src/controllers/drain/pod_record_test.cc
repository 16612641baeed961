#include "controllers/drain/pod_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::controllers {
namespace {

using namespace std::chrono_literals;
using core::Pod;
using testing::ElementsAre;
using testing::IsEmpty;

Pod Read(std::string_view text) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(text);
  simdjson::ondemand::document document;
  kube::JsonObject object;
  EXPECT_FALSE(parser.iterate(padded).get(document));
  EXPECT_FALSE(document.get_object().get(object));
  const auto record = ReadPod(object);
  EXPECT_TRUE(record) << record.error().message();
  return AsPod(record.value_or(PodRecord()));
}

TEST(PodRecordTest, ReadsWhatADrainNeeds) {
  const Pod pod = Read(R"({"metadata":{"name":"db-0","namespace":"shop","uid":"u",
      "deletionTimestamp":"2026-01-01T00:01:00Z","deletionGracePeriodSeconds":60,
      "ownerReferences":[{"kind":"Other","controller":false},
                         {"kind":"StatefulSet","controller":true}]},
    "spec":{"priority":7,"terminationGracePeriodSeconds":60,
      "volumes":[{"name":"a","persistentVolumeClaim":{"claimName":"data-db-0"}},
                 {"name":"b","emptyDir":{}}, {"name":"c","ephemeral":{"volumeClaimTemplate":{}}}]},
    "status":{"phase":"Running"}})");
  EXPECT_EQ(pod.key, "shop/db-0");
  EXPECT_EQ(pod.uid, Uid("u"));
  EXPECT_EQ(pod.owner, Pod::Owner::kOther);
  EXPECT_EQ(pod.priority, 7);
  EXPECT_EQ(pod.grace, 60s);
  EXPECT_EQ(pod.deleting_since, ParseTime("2026-01-01T00:00:00Z").value());
  EXPECT_THAT(pod.volumes, ElementsAre("shop/data-db-0"));
  EXPECT_TRUE(pod.uses_local_data);
  EXPECT_FALSE(pod.is_mirror);
  EXPECT_FALSE(pod.is_finished);
}

TEST(PodRecordTest, B_14_WhatIsNotSaidHasItsUsualMeaning) {
  const Pod pod = Read(R"({"metadata":{"name":"p","namespace":"n"},"spec":{"priority":null}})");
  EXPECT_EQ(pod.owner, Pod::Owner::kNobody);
  EXPECT_EQ(pod.priority, 0);
  EXPECT_EQ(pod.grace, 30s);
  EXPECT_EQ(pod.deleting_since, std::nullopt);
  EXPECT_THAT(pod.volumes, IsEmpty());
}

TEST(PodRecordTest, KnowsPodsThatBelongToTheNode) {
  EXPECT_TRUE(Read(R"({"metadata":{"annotations":{"kubernetes.io/config.mirror":""}}})").is_mirror);
  EXPECT_EQ(
      Read(R"({"metadata":{"ownerReferences":[{"kind":"DaemonSet","controller":true}]}})").owner,
      Pod::Owner::kDaemonSet);
  EXPECT_TRUE(Read(R"({"status":{"phase":"Failed"}})").is_finished);
}

}  // namespace
}  // namespace millwright::controllers
