#include "apiserver/discovery/accept.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

using Form = DiscoveryForm;

struct Case {
  std::string accept;
  std::optional<Form> at_groups;   // /apis
  std::optional<Form> at_version;  // /apis/GROUP/VERSION
};

constexpr const char* kV2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
constexpr const char* kV2beta1 =
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

TEST(AcceptTest, TheFirstKnownFormOfTheHighestWishWins) {
  const std::string v2 = kV2;
  const std::string v2beta1 = kV2beta1;
  const std::vector<Case> cases = {
      {"", Form::kJson, Form::kJson},
      {"*/*", Form::kJson, Form::kJson},
      {"application/*", Form::kJson, Form::kJson},
      {"application/json", Form::kJson, Form::kJson},
      {"application/yaml", Form::kYaml, Form::kYaml},
      {"application/json;q=0.5,application/yaml", Form::kYaml, Form::kYaml},
      {"application/json;q=0,application/yaml", Form::kYaml, Form::kYaml},
      {"application/vnd.kubernetes.protobuf, */*", Form::kJson, Form::kJson},
      {"text/html", std::nullopt, std::nullopt},
      {v2, Form::kAggregatedV2, std::nullopt},
      {v2 + "," + v2beta1 + ",application/json", Form::kAggregatedV2, Form::kJson},
      {v2beta1 + ",application/json", Form::kAggregatedV2beta1, Form::kJson},
      {v2 + ";profile=nopeer", Form::kAggregatedV2, std::nullopt},
      {"application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList,application/json",
       Form::kJson, Form::kJson},
      {"application/json;as=Table;g=meta.k8s.io;v=v1", std::nullopt, std::nullopt},
      {" Application/JSON ; q=1", Form::kJson, Form::kJson},
      {";;,,=", std::nullopt, std::nullopt},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(NegotiateDiscovery(one.accept, true), one.at_groups) << one.accept;
    EXPECT_EQ(NegotiateDiscovery(one.accept, false), one.at_version) << one.accept;
  }
}

}  // namespace
}  // namespace millwright::apiserver
