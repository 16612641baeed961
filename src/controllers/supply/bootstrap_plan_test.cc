#include "controllers/supply/bootstrap_plan.h"

#include <gtest/gtest.h>

namespace millwright::controllers::supply {
namespace {

using enum BootstrapStep;

struct Case {
  const char* name;
  BootstrapView view;
  BootstrapStep step;
};

TEST(PlanBootstrap, TokensAreThereAsLongAsTheyAreNeeded) {
  const Case cases[] = {
      {"nobody's", {.connected = true}, kRest},
      {"not connected", {.has_machine = true}, kRest},
      {"without a token", {.has_machine = true, .connected = true}, kFill},
      {"noted first", {.has_machine = true, .connected = true, .wants_token = true}, kNoteToken},
      {"noted",
       {.has_machine = true, .connected = true, .wants_token = true, .has_token = true},
       kFill},
      {"has not joined", {.connected = true, .has_token = true, .has_data = true}, kRest},
      {"joined",
       {.connected = true, .has_token = true, .has_data = true, .joined = true},
       kDropToken},
      {"joined, and dropped", {.connected = true, .has_data = true, .joined = true}, kRest},
      {"joined, and not connected", {.has_token = true, .has_data = true, .joined = true}, kRest},
      {"goes", {.deleting = true, .connected = true, .has_token = true}, kDropToken},
      {"goes before it had any", {.deleting = true, .connected = true}, kRest},
      {"goes, and nobody answers", {.deleting = true, .has_token = true}, kRest},
      {"it has ended by itself",
       {.deleting = true, .has_token = true, .expired = true},
       kForgetToken},
      {"goes with its cluster",
       {.deleting = true, .connected = true, .cluster_ends = true, .has_token = true},
       kForgetToken},
      {"paused", {.deleting = true, .paused = true, .connected = true, .has_token = true}, kRest},
  };
  for (const Case& c : cases) EXPECT_EQ(PlanBootstrap(c.view), c.step) << c.name;
}

}  // namespace
}  // namespace millwright::controllers::supply
