#include "tests/sample/copier.h"

#include <boost/json.hpp>

namespace millwright::sample {

namespace json = boost::json;
using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ObjectKey;
using kube::ReadInto;
using kube::Requeue;

namespace {

const kube::GroupVersionResource kConfigMaps{"", "v1", "configmaps"};
constexpr std::string_view kSuffix = "-copy";

ObjectKey CopyOf(const ObjectKey& key) { return {key.namespace_, key.name + std::string(kSuffix)}; }

// The key of the original, whichever of the two changed.
ObjectKey OriginalOf(const ObjectKey& key) {
  if (!key.name.ends_with(kSuffix)) return key;
  return {key.namespace_, key.name.substr(0, key.name.size() - kSuffix.size())};
}

std::string CopyBody(const ConfigMap& original, const ObjectKey& copy) {
  json::object data;
  for (const auto& [key, value] : original.data) data[key] = value;
  return json::serialize(
      json::object{{"apiVersion", "v1"},
                   {"kind", "ConfigMap"},
                   {"metadata",
                    {{"name", copy.name},
                     {"namespace", copy.namespace_},
                     {"ownerReferences", json::array{{{"apiVersion", "v1"},
                                                      {"kind", "ConfigMap"},
                                                      {"name", original.meta.key.name},
                                                      {"uid", original.meta.uid.str()},
                                                      {"controller", true}}}}}},
                   {"data", std::move(data)}});
}

}  // namespace

bool ConfigMap::IsWanted() const {
  const auto it = labels.find("copy");
  return it != labels.end() && it->second == "wanted" && !meta.deleting_since;
}

Result<ConfigMap> DecodeConfigMap(JsonObject object) {
  ConfigMap map;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "data") return ReadInto(value, map.data);
    if (key != "metadata") return {};
    return ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      if (name == "labels") return ReadInto(field, map.labels);
      return kube::ReadMetaField(name, field, map.meta);
    });
  }));
  return map;
}

Copier::Copier(const Executor& executor, kube::Client& client, Clock& clock, Random& random,
               Log& log, std::string name_space, std::size_t workers)
    : client_(client),
      informer_(executor, client, clock, random, log.For("sample.cache"),
                {.resource = kConfigMaps, .namespace_ = std::move(name_space)}, DecodeConfigMap),
      controller_(executor, clock, log.For("sample.copier"), {.name = "copier", .workers = workers},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }),
      tasks_(executor) {
  informer_.OnChange([this](const ConfigMap* before, const ConfigMap* after) {
    controller_.queue().Add(OriginalOf((after != nullptr ? after : before)->meta.key));
  });
}

Task<void> Copier::Run() {
  tasks_.Spawn([this] { return informer_.Run(); });
  tasks_.Spawn([this] { return RunController(); });
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<void> Copier::RunController() {
  if (co_await informer_.WaitSynced() == Wake::kCancelled) co_return;
  co_await controller_.Run();
}

Task<Result<Requeue>> Copier::Reconcile(ObjectKey key) {
  const ObjectKey copy_key = CopyOf(key);
  if (informer_.guard().IsBehind(copy_key)) {
    co_return Requeue::After(kube::WriteGuard::kLookAgain);
  }
  const ConfigMap* original = informer_.store().Find(key);
  if (original == nullptr || !original->IsWanted()) co_return Requeue::WhenChanged();
  const ConfigMap* copy = informer_.store().Find(copy_key);
  if (copy != nullptr && copy->data == original->data) co_return Requeue::WhenChanged();

  std::string body = CopyBody(*original, copy_key);
  ++writes_;
  CO_TRY(const kube::Document written,
         co_await client_.Apply(kConfigMaps, copy_key, std::move(body), {.force = true}));
  CO_TRY(const kube::Meta meta, written.ReadMeta());
  informer_.guard().Expect(copy_key, meta.resource_version);
  co_return Requeue::WhenChanged();
}

}  // namespace millwright::sample
