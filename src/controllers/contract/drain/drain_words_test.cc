#include "controllers/contract/drain/drain_words.h"

#include <gtest/gtest.h>

#include "kube/api/status.h"

namespace millwright::controllers::contract {
namespace {

const WallTime kStarted = *ParseTime("2026-11-16T10:00:00Z");

Error TooMany(std::string cause) {
  kube::Status status;
  status.code = 429;
  status.reason = "TooManyRequests";
  status.message = "Cannot evict pod as it would violate the pod's disruption budget.";
  status.details.causes.push_back({"DisruptionBudget", std::move(cause), ""});
  return kube::ErrorFrom(status);
}

TEST(DrainWords, names_up_to_three_pods) {
  const std::vector<std::string> pods = {"a", "b", "c", "d", "e"};
  EXPECT_EQ(FirstOf(pods, 3), "a, b, c, ... (2 more)");
  EXPECT_EQ(FirstOf(std::span(pods).first(2), 3), "a, b");
}

TEST(DrainWords, Capi_12_079_lists_who_is_going) {
  core::Waves waves;
  waves.going = {"ns/a"};
  EXPECT_EQ(DrainMessage(waves, {}, kStarted),
            "Drain not completed yet (started at 2026-11-16T10:00:00Z):\n"
            "* Pod ns/a: deletionTimestamp set, but still not removed from the Node");
}

TEST(DrainWords, Capi_12_089_budgets_are_grouped_by_what_the_server_said) {
  const std::string why = WhyNotEvicted(TooMany("The disruption budget b needs 3 pods"));
  EXPECT_EQ(why,
            "cannot evict pod as it would violate the pod's disruption budget. The disruption "
            "budget b needs 3 pods");
  EXPECT_EQ(
      DrainMessage({}, {{"ns/a", why}, {"ns/b", why}}, kStarted),
      "Drain not completed yet (started at 2026-11-16T10:00:00Z):\n* Pods ns/a, ns/b: " + why);
}

TEST(DrainWords, Capi_12_090_at_most_five_reasons) {
  Refusals refusals;
  for (char c = 'a'; c <= 'g'; ++c) refusals[std::string("ns/") + c] = std::string("why ") + c;
  const std::string message = DrainMessage({}, refusals, kStarted);
  EXPECT_NE(message.find("* Pod ns/e: failed to evict Pod, why e"), std::string::npos) << message;
  EXPECT_EQ(message.find("ns/f"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with("\n* 2 Pods with other issues")) << message;
}

TEST(DrainWords, Capi_12_088_says_who_comes_later) {
  core::Waves waves;
  waves.going = {"ns/a", "ns/b"};
  waves.evict_later = {"ns/c"};
  waves.wait_later = {"ns/d"};
  EXPECT_EQ(DrainMessage(waves, {}, kStarted),
            "Drain not completed yet (started at 2026-11-16T10:00:00Z):\n"
            "* Pods ns/a, ns/b: deletionTimestamp set, but still not removed from the Node\n"
            "After above Pods have been removed from the Node, the following Pods will be evicted: "
            "ns/c\n"
            "After above Pods have been removed from the Node, waiting for the following Pods to "
            "complete without eviction: ns/d");
}

TEST(DrainWords, volumes_that_are_still_there) {
  core::VolumesLeft left;
  left.claims = {"ns/c"};
  left.unknown = {"x"};
  const std::string message = VolumesMessage(left, kStarted);
  EXPECT_NE(message.find("\n* PersistentVolumeClaims: ns/c\n"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with("PersistentVolume: x")) << message;
}

}  // namespace
}  // namespace millwright::controllers::contract
