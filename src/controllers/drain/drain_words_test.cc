// The pure parts: budgets, ids of volumes, messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "controllers/drain/drain_message.h"
#include "controllers/drain/refusal.h"
#include "controllers/drain/volume_id.h"

namespace millwright::controllers {
namespace {

using core::DrainAnswer;

constexpr const char* kBudgets[] = {
    R"({"metadata":{"namespace":"n","name":"stuck","generation":1},
        "spec":{"selector":{"matchLabels":{"app":"stuck"}}},
        "status":{"observedGeneration":1,"expectedPods":2,"currentHealthy":2,
                  "disruptionsAllowed":0}})",
    R"({"metadata":{"namespace":"n","name":"busy","generation":1},
        "spec":{"selector":{"matchLabels":{"app":"busy"}}},
        "status":{"observedGeneration":1,"expectedPods":2,"currentHealthy":2,
                  "disruptionsAllowed":0,"disruptedPods":{"a":"2026-01-01T00:00:00Z"}}})",
    R"({"metadata":{"namespace":"n","name":"new","generation":2},
        "spec":{"selector":{"matchLabels":{"app":"new"}}},
        "status":{"observedGeneration":1,"expectedPods":2,"currentHealthy":2,
                  "disruptionsAllowed":0}})",
    R"({"metadata":{"namespace":"n","name":"nothing"},"spec":{"selector":null}})",
    R"({"metadata":{"namespace":"n","name":"senseless"},"spec":{"selector":{"matchLabels":7}}})",
};

BudgetRecord Read(std::string_view text) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(text);
  simdjson::ondemand::document document;
  kube::JsonObject object;
  EXPECT_FALSE(parser.iterate(padded).get(document));
  EXPECT_FALSE(document.get_object().get(object));
  return ReadBudget(object).value();
}

struct RefusalCase {
  const char* app;
  DrainAnswer answer;
  const char* why;
  const char* budget;
};

TEST(RefusalTest, Gardener_13_076_TellWhetherWaitingHelps) {
  const RefusalCase cases[] = {
      {"stuck", DrainAnswer::kForbidden,
       "PodDisruptionBudget n/stuck allows no disruption, and will not until somebody changes it",
       "n/stuck"},
      {"busy", DrainAnswer::kRefused, "PodDisruptionBudget n/busy allows no disruption now",
       "n/busy"},
      {"new", DrainAnswer::kRefused, "PodDisruptionBudget n/new allows no disruption now", "n/new"},
      {"free", DrainAnswer::kRefused, "said", ""},
  };
  std::vector<BudgetRecord> read;
  for (const char* text : kBudgets) read.push_back(Read(text));
  std::vector<const BudgetRecord*> budgets;
  for (const BudgetRecord& budget : read) budgets.push_back(&budget);
  for (const RefusalCase& c : cases) {
    const Refusal refusal = ExplainRefusal(budgets, {{"app", c.app}}, "said");
    EXPECT_EQ(refusal.answer, c.answer) << c.app;
    EXPECT_EQ(refusal.why, c.why);
    EXPECT_EQ(refusal.budget ? refusal.budget->ToString() : "", c.budget);
  }
}

TEST(VolumeIdTest, IsWhatNodesNameTheVolumeBy) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"csi":{"driver":"d","volumeHandle":"h-1"}})", "h-1"},
      {R"({"awsElasticBlockStore":{"volumeID":"aws://eu-1a/vol-1"}})", "vol-1"},
      {R"({"gcePersistentDisk":{"pdName":"disk"}})", "disk"},
      {R"({"azureDisk":{"diskName":"disk","diskURI":"/subscriptions/x"}})", "disk"},
      {R"({"cinder":{"volumeID":"v"}})", "v"},
      {R"({"nfs":{"server":"s","path":"/"}})", ""},
  };
  for (const auto& [spec, id] : cases) EXPECT_EQ(VolumeIdFromSpec(boost::json::parse(spec)), id);
}

TEST(DrainMessageTest, SaysWhoIsLeftAndWhy) {
  EXPECT_EQ(DescribeDrain(0, {}), "");
  EXPECT_EQ(DescribeDrain(1, {}), "1 pod left");
  const PodTrouble troubles[] = {{"a", "x"}, {"b", "two\nlines"}, {"c", "y"}, {"d", "z"}};
  EXPECT_EQ(DescribeDrain(7, troubles), "7 pods left; a: x; b: two lines; c: y; and 1 more");
  EXPECT_EQ(DescribeDrain(0, std::span(troubles, 1)), "a: x");
}

TEST(DrainMessageTest, CutsLongReasonsBetweenCharacters) {
  std::string text(299, 'x');
  text += "\u00e9\u00e9";
  const PodTrouble troubles[] = {{"a", text}};
  EXPECT_EQ(DescribeDrain(0, troubles), "a: " + std::string(299, 'x') + "...");
}

}  // namespace
}  // namespace millwright::controllers
