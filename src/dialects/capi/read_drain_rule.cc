#include <fmt/format.h>

#include "dialects/capi/read.h"
#include "dialects/capi/read_parts.h"
#include "dialects/capi/read_spec.h"

namespace millwright::dialects::capi {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

// Selectors of an entry of a rule; the first that does not parse is the rule's problem.
class EntryReader {
 public:
  EntryReader(std::string_view list, std::string& problem) : list_(list), problem_(problem) {}

  Result<void> Read(JsonValue entry, std::string_view first_name, kube::LabelSelector& first,
                    std::string_view second_name, kube::LabelSelector& second) {
    const size_t index = next_++;
    return ForEachField(entry, [&](std::string_view key, JsonValue value) -> Result<void> {
      if (key == first_name) return Selector(index, key, value, first);
      if (key == second_name) return Selector(index, key, value, second);
      return {};
    });
  }

 private:
  Result<void> Selector(size_t index, std::string_view key, JsonValue value,
                        kube::LabelSelector& target) {
    std::string problem;
    CHECK_OK(ReadSelector(value, target, problem));
    if (!problem.empty() && problem_.empty()) {
      problem_ = fmt::format("spec.{}[{}].{}: {}", list_, index, key, problem);
    }
    return {};
  }

  std::string_view list_;
  std::string& problem_;
  size_t next_ = 0;
};

Result<void> ReadDrain(JsonValue value, DrainRuleRecord& rule) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "behavior") return ReadInto(field, rule.behavior);
    if (key == "order") return ReadInto(field, rule.order);
    return {};
  });
}

Result<void> ReadSpec(JsonValue value, DrainRuleRecord& rule) {
  EntryReader machines("machines", rule.problem);
  EntryReader pods("pods", rule.problem);
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "drain") return ReadDrain(field, rule);
    if (key == "machines") {
      return ForEachItem(field, [&](JsonValue item) {
        DrainRuleMachines& entry = rule.machines.emplace_back();
        return machines.Read(item, "selector", entry.machines, "clusterSelector", entry.clusters);
      });
    }
    if (key == "pods") {
      return ForEachItem(field, [&](JsonValue item) {
        DrainRulePods& entry = rule.pods.emplace_back();
        return pods.Read(item, "selector", entry.pods, "namespaceSelector", entry.namespaces);
      });
    }
    return {};
  });
}

}  // namespace

Result<DrainRuleRecord> Reader::DrainRule(JsonObject object) {
  DrainRuleRecord rule;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadInto(value, rule.meta);
    if (key == "spec") return ReadSpec(value, rule);
    return {};
  }));
  return rule;
}

}  // namespace millwright::dialects::capi
