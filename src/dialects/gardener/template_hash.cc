#include "dialects/gardener/template_hash.h"

#include <algorithm>

#include "dialects/gardener/names.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

std::uint32_t Fnv1a(std::string_view text) {
  std::uint32_t hash = 2166136261;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619;
  }
  return hash;
}

bool SelectsByHash(const kube::LabelSelector& selector) {
  return std::ranges::any_of(selector.requirements(), [](const kube::LabelRequirement& r) {
    return r.key == labels::kTemplateHash;
  });
}

json::object HashLabel(const std::string& hash) { return {{labels::kTemplateHash, hash}}; }

}  // namespace

std::string TemplateHash(const MachineTemplate& machine_template, int collision_count) {
  std::string hashed(machine_template.rolls.view());
  if (collision_count > 0) hashed += std::to_string(collision_count);
  return std::to_string(Fnv1a(hashed));
}

json::object HashOnSet(const SetRecord& set) {
  if (set.core.deleting || SelectsByHash(set.selector)) return {};
  const auto written = set.machine_template.labels.find(labels::kTemplateHash);
  if (written == set.machine_template.labels.end()) {
    const json::object label = HashLabel(TemplateHash(set.machine_template));
    return {{"spec", {{"template", {{"metadata", {{"labels", label}}}}}}}};
  }
  const core::SetCounts& seen = set.core.seen;
  const bool all_labelled = set.core.report_is_current && seen.fully_labelled == seen.replicas &&
                            seen.replicas == set.core.replicas;
  if (!all_labelled) return {};
  const json::object label = HashLabel(written->second);
  return {{"metadata", {{"labels", label}}}, {"spec", {{"selector", {{"matchLabels", label}}}}}};
}

json::object HashOnMachine(const SetRecord& set, const MachineRecord& machine) {
  const auto written = set.machine_template.labels.find(labels::kTemplateHash);
  if (written == set.machine_template.labels.end()) return {};
  if (machine.labels.contains(labels::kTemplateHash)) return {};
  return HashLabel(written->second);
}

}  // namespace millwright::dialects::gardener
