#include "tests/sim/feature_test.h"

#include <fmt/format.h>

namespace millwright::sim {

namespace json = boost::json;

namespace {

std::string KeyIn(const json::value& object, std::string_view map, std::string_view key) {
  const json::value* found = object.at("metadata").as_object().if_contains(map);
  const json::value* value = found == nullptr ? nullptr : found->as_object().if_contains(key);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

}  // namespace

std::string LabelOf(const json::value& object, std::string_view key) {
  return KeyIn(object, "labels", key);
}

std::string AnnotationOf(const json::value& object, std::string_view key) {
  return KeyIn(object, "annotations", key);
}

json::value ConditionOf(const json::value& object, std::string_view list, std::string_view type) {
  boost::system::error_code none;
  const json::value* conditions = object.find_pointer(list, none);
  if (conditions == nullptr || !conditions->is_array()) return nullptr;
  for (const json::value& condition : conditions->as_array()) {
    if (condition.at("type").as_string() == type) return condition;
  }
  return nullptr;
}

bool IsTainted(const json::value& node, std::string_view key) {
  boost::system::error_code none;
  const json::value* taints = node.find_pointer("/spec/taints", none);
  if (taints == nullptr || !taints->is_array()) return false;
  for (const json::value& taint : taints->as_array()) {
    if (taint.at("key").as_string() == key) return true;
  }
  return false;
}

void FeatureTest::Begin(int replicas, std::string_view strategy, std::string_view spec,
                        std::string_view machine) {
  cluster_.Apply(cluster_.words().sample(
      {.replicas = replicas,
       .surge = 1,
       .unavailable = 1,
       .strategy = std::string(strategy),
       .more_spec = std::string(spec),
       .more_machine = machine.empty() ? "" : fmt::format(", {}", machine)}));
  cluster_.StartControllers();
}

bool FeatureTest::UntilRunning(int machines, Duration limit) {
  const auto count = static_cast<std::size_t>(machines);
  return cluster_.Until(
      [&] { return CountIn("Running") == machines && Machines().size() == count; }, limit);
}

std::string FeatureTest::At(std::string_view kind, std::string_view name) {
  return fmt::format("/apis/machine.sapcloud.io/v1alpha1/namespaces/default/{}{}{}", kind,
                     name.empty() ? "" : "/", name);
}

int FeatureTest::CountIn(std::string_view phase) {
  int count = 0;
  for (const json::value& machine : Machines()) count += PhaseOf(machine) == phase ? 1 : 0;
  return count;
}

int FeatureTest::Events(std::string_view reason) {
  int count = 0;
  for (const json::value& event : cluster_.List("/api/v1/namespaces/default/events")) {
    if (TextAt(event, "/reason") != reason) continue;
    count += std::max(std::stoi("0" + TextAt(event, "/count")), 1);
  }
  return count;
}

void FeatureTest::Patch(const std::string& target, std::string_view patch) {
  const Cluster::Reply reply =
      cluster_.Ask("PATCH", target, std::string(patch), "application/merge-patch+json");
  ASSERT_LT(reply.status, 300) << json::serialize(reply.body);
}

namespace {

std::string Metadata(std::string_view map, std::string_view key, std::string_view value) {
  json::value text = nullptr;
  if (!value.empty()) text = value;
  return json::serialize(json::object{{"metadata", {{map, json::object{{key, std::move(text)}}}}}});
}

}  // namespace

void FeatureTest::Annotate(const std::string& target, std::string_view key,
                           std::string_view value) {
  Patch(target, Metadata("annotations", key, value));
}

void FeatureTest::Label(const std::string& target, std::string_view key, std::string_view value) {
  Patch(target, Metadata("labels", key, value));
}

void FeatureTest::Scale(int replicas) {
  Patch(At("machinedeployments", "web"), fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
}

std::string FeatureTest::Dump() {
  std::string text;
  for (const std::string& line : cluster_.log().lines()) text += line + "\n";
  for (const std::string& write : cluster_.writes()) text += write + "\n";
  for (const std::string& list : {At("machinedeployments"), At("machinesets"), At("machines"),
                                  std::string("/api/v1/nodes")}) {
    for (const json::value& object : cluster_.List(list)) text += json::serialize(object) + "\n";
  }
  return text;
}

}  // namespace millwright::sim
