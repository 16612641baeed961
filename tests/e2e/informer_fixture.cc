#include "tests/e2e/informer_fixture.h"

#include "kube/projection/list.h"

namespace millwright::e2e {

namespace {

const kube::GroupVersionResource kConfigMaps{"", "v1", "configmaps"};

// Those that CreateConfigMaps made: kube-controller-manager puts one more, its root CA, into every
// namespace, when it finds the time.
const std::string kOurs = "copy";

}  // namespace

InformerE2e::ConfigMaps InformerE2e::Make(kube::Client& client, kube::ReflectorOptions options) {
  options.resource = kConfigMaps;
  options.namespace_ = name_space();
  options.label_selector = kOurs;
  return ConfigMaps(loop_.get_executor(), client, clock_, random_, log_->For("e2e"), options,
                    sample::DecodeConfigMap);
}

void InformerE2e::Patch(kube::Client& client, const std::string& name, const std::string& value) {
  const auto patched =
      Await(client.Patch(kConfigMaps, {name_space(), name}, kube::PatchKind::kMerge,
                         R"({"data":{"k":")" + value + R"("}})"));
  ASSERT_TRUE(patched) << patched.error().message();
}

std::string InformerE2e::Value(const ConfigMaps& informer, const std::string& name) const {
  const sample::ConfigMap* map = informer.store().Find({name_space(), name});
  return map == nullptr ? "" : map->data.at("k");
}

std::map<std::string, std::string> InformerE2e::Cached(const ConfigMaps& informer) {
  std::map<std::string, std::string> versions;
  for (const sample::ConfigMap& map : informer.store().objects()) {
    versions[map.meta.key.name] = map.meta.resource_version.str();
  }
  return versions;
}

std::map<std::string, std::string> InformerE2e::AtTheServer(kube::Client& client) {
  std::map<std::string, std::string> versions;
  auto page =
      Await(client.List(kConfigMaps, {.namespace_ = name_space(), .label_selector = kOurs}));
  EXPECT_TRUE(page) << page.error().message();
  const auto walked =
      kube::ForEachListItem(*std::move(page), [&](kube::JsonObject item) -> Result<void> {
        TRY(const sample::ConfigMap map, sample::DecodeConfigMap(item));
        versions[map.meta.key.name] = map.meta.resource_version.str();
        return {};
      });
  EXPECT_TRUE(walked) << walked.error().message();
  return versions;
}

}  // namespace millwright::e2e
