// What a machine wants for its node: labels, annotations and taints of the node template, and the
// virtual capacity of its class. What we put there is noted on the node, so that it can go again.
#include <boost/json/value.hpp>

#include <algorithm>

#include "dialects/gardener/names.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/render_parts.h"
#include "kube/api/json_text.h"
#include "kube/api/quantity.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

struct NodeWish {
  core::StringMap labels;
  core::StringMap annotations;
  std::vector<core::Taint> taints;

  friend bool operator==(const NodeWish&, const NodeWish&) = default;
};

core::StringMap TextsAt(const json::value& root, std::string_view path) {
  core::StringMap texts;
  const json::object* object = kube::GetObject(root, path);
  if (object == nullptr) return texts;
  for (const auto& [key, value] : *object) {
    if (value.is_string()) texts.emplace(key, value.get_string());
    // Amounts may be written as plain numbers.
    if (value.is_int64()) texts.emplace(key, std::to_string(value.get_int64()));
  }
  return texts;
}

// A text that cannot be read wishes nothing.
NodeWish ParseWish(std::string_view node_template) {
  const json::value root(ObjectOf(node_template));
  NodeWish wish{.labels = TextsAt(root, "metadata.labels"),
                .annotations = TextsAt(root, "metadata.annotations")};
  const json::array* taints = kube::GetArray(root, "spec.taints");
  if (taints == nullptr) return wish;
  for (const json::value& taint : *taints) {
    wish.taints.push_back({.key = std::string(kube::GetString(taint, "key")),
                           .value = std::string(kube::GetString(taint, "value")),
                           .effect = std::string(kube::GetString(taint, "effect"))});
  }
  return wish;
}

core::FindPresent PresentIn(const kube::TextMap& texts) {
  return [&texts](std::string_view key) { return texts.Get(key); };
}

std::set<std::string> KeysOf(const core::StringMap& texts) {
  std::set<std::string> keys;
  for (const auto& [key, value] : texts) keys.insert(key);
  return keys;
}

void SyncTemplate(const MachineRecord& machine, const NodeRecord& node, NodeChange& change) {
  const std::string_view noted = TextAt(node.annotations, annotations::kLastAppliedNodeTemplate);
  const NodeWish wanted = ParseWish(machine.node_template.view());
  const NodeWish before = ParseWish(noted);
  change.labels = core::SyncKeys(PresentIn(node.labels), wanted.labels, KeysOf(before.labels));
  change.annotations =
      core::SyncKeys(PresentIn(node.annotations), wanted.annotations, KeysOf(before.annotations));
  TaintChange taints{.wanted = wanted.taints};
  for (const core::Taint& taint : before.taints) taints.ours.insert(core::IdOf(taint));
  if (!taints.IsDone(node.taints.get())) change.taints = std::move(taints);
  if (wanted != before) {
    const std::string_view text = machine.node_template.view();
    change.annotations.set[std::string(annotations::kLastAppliedNodeTemplate)] =
        text.empty() ? "{}" : std::string(text);
  }
}

bool SameAmount(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto left = kube::ParseQuantity(a);
  const auto right = kube::ParseQuantity(b);
  return left && right && *left == *right;
}

// Against what we wrote last, not against the node: its capacity changes with every report and is
// not kept here.
void SyncCapacity(const ClassRecord& of, const NodeRecord& node, NodeChange& change) {
  const std::string_view noted = TextAt(node.annotations, annotations::kLastAppliedCapacity);
  const json::value wanted_root(json::object{{"c", ObjectOf(of.virtual_capacity.view())}});
  const json::value noted_root(json::object{{"c", ObjectOf(noted)}});
  const core::StringMap wanted = TextsAt(wanted_root, "c");
  const core::StringMap before = TextsAt(noted_root, "c");
  for (const auto& [resource, amount] : wanted) {
    const auto known = before.find(resource);
    if (known == before.end() || !SameAmount(known->second, amount)) {
      change.capacity.set.emplace(resource, amount);
    }
  }
  for (const auto& [resource, amount] : before) {
    if (!wanted.contains(resource)) change.capacity.remove.push_back(resource);
  }
  if (change.capacity.none()) return;
  const std::string key(annotations::kLastAppliedCapacity);
  if (wanted.empty()) {
    change.annotations.remove.push_back(key);
  } else {
    change.annotations.set[key] = std::string(of.virtual_capacity.view());
  }
}

}  // namespace

NodeChange SyncedNode(const MachineRecord& machine, const ClassRecord* of, const NodeRecord& node) {
  NodeChange change;
  SyncTemplate(machine, node, change);
  if (of != nullptr) SyncCapacity(*of, node, change);
  if (TextAt(node.labels, labels::kMachineName) != machine.meta.key.name) {
    change.labels.set[std::string(labels::kMachineName)] = machine.meta.key.name;
  }
  // Whoever deletes the node means its machine, which therefore has to be told.
  const std::vector<std::string>& present = node.finalizers.get();
  if (std::ranges::find(present, finalizers::kNode) == present.end()) {
    change.finalizers = present;
    change.finalizers->emplace_back(finalizers::kNode);
  }
  return change;
}

core::Condition GoingCondition(core::GoingBecause why) {
  const bool unhealthy = why == core::GoingBecause::kUnhealthy;
  return {.type = std::string(conditions::kTerminating),
          .status = "True",
          .reason = unhealthy ? "Unhealthy" : "ScaleDown",
          .message = unhealthy ? "Its machine failed and is being replaced"
                               : "Its machine is being deleted"};
}

}  // namespace millwright::dialects::gardener
