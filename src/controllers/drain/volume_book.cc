#include "controllers/drain/volume_book.h"

#include <boost/json/serialize.hpp>

#include <vector>

#include "base/task_group.h"
#include "controllers/drain/volume_id.h"
#include "kube/api/json_text.h"

namespace millwright::controllers {

namespace json = boost::json;

namespace {

const kube::GroupVersionResource kClaims{"", "v1", "persistentvolumeclaims"};
const kube::GroupVersionResource kVolumes{"", "v1", "persistentvolumes"};

// The object if it is there.
Task<Result<std::optional<json::value>>> ReadTree(kube::Client& client,
                                                  kube::GroupVersionResource resource,
                                                  kube::ObjectKey key) {
  CO_TRY(const auto document, co_await client.Find(std::move(resource), std::move(key)));
  if (!document) co_return std::nullopt;
  CO_TRY(auto tree, document->Tree());
  co_return std::optional(std::move(tree));
}

// What the cloud says of those volumes, in their order; empty if it does not say.
Task<std::vector<std::string>> AskCloud(
    providers::Cloud* cloud, std::shared_ptr<const providers::InstanceClass> instance_class,
    std::vector<std::string> specs) {
  if (cloud == nullptr || instance_class == nullptr || !cloud->capabilities().volume_ids ||
      specs.empty()) {
    co_return std::vector<std::string>();
  }
  const std::size_t count = specs.size();
  auto ids = co_await cloud->VolumeIds(std::move(instance_class), std::move(specs));
  if (!ids || ids->size() != count) co_return std::vector<std::string>();
  co_return *std::move(ids);
}

}  // namespace

const Volume* VolumeBook::Find(const std::string& claim) const {
  const auto found = volumes_.find(claim);
  return found == volumes_.end() ? nullptr : &found->second;
}

Task<void> VolumeBook::Read(Reading& reading) {
  const auto key = kube::ParseObjectKey(reading.claim);
  const auto claim = co_await ReadTree(client_, kClaims, key.value());
  if (!claim) co_return;
  reading.volume.emplace();
  if (!*claim) co_return;
  const std::string name(kube::GetString(**claim, "spec.volumeName"));
  if (name.empty()) co_return;
  const auto volume =
      co_await ReadTree(client_, kVolumes, kube::ObjectKey{.namespace_ = {}, .name = name});
  if (!volume) {
    reading.volume.reset();
    co_return;
  }
  if (!*volume) co_return;
  const json::value* spec = kube::Find(**volume, "spec");
  if (spec == nullptr) co_return;
  *reading.volume = {.name = name, .id = VolumeIdFromSpec(*spec), .guessed = true};
  reading.spec = json::serialize(*spec);
}

Task<void> VolumeBook::Learn(std::set<std::string> claims, providers::Cloud* cloud,
                             std::shared_ptr<const providers::InstanceClass> instance_class) {
  std::vector<Reading> readings;
  for (const std::string& claim : claims) {
    if (Find(claim) == nullptr) {
      readings.push_back({.claim = claim, .volume = std::nullopt, .spec = {}});
    }
  }
  if (readings.empty()) co_return;
  TaskGroup group(executor_);
  for (Reading& reading : readings) {
    group.Spawn([this, &reading] { return Read(reading); });
  }
  co_await group.Join();

  std::vector<Volume*> asked;
  std::vector<std::string> specs;
  for (Reading& reading : readings) {
    if (reading.spec.empty()) continue;
    asked.push_back(&*reading.volume);
    specs.push_back(std::move(reading.spec));
  }
  std::vector<std::string> ids =
      co_await AskCloud(cloud, std::move(instance_class), std::move(specs));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    asked[i]->id = std::move(ids[i]);
    asked[i]->guessed = false;
  }
  for (Reading& reading : readings) {
    if (reading.volume) volumes_.insert_or_assign(reading.claim, *std::move(reading.volume));
  }
}

}  // namespace millwright::controllers
