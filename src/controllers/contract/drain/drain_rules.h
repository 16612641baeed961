// What MachineDrainRules and labels of pods say about a drain. Pure.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/drain/pod.h"
#include "dialects/capi/records.h"

namespace millwright::controllers::contract {

namespace capi = dialects::capi;

// The rules that concern a machine, by name. Fails if one of them cannot be read, whomever it
// concerns: leaving it out might evict what it protects.
Result<std::vector<capi::DrainRuleRecord>> RulesFor(
    std::span<const capi::DrainRuleRecord* const> of_namespace, const kube::Labels& machine,
    const kube::Labels& cluster);

// The first that matches, if any. Fails if it asks for something that nobody knows.
Result<std::optional<core::PodRule>> RuleFor(std::span<const capi::DrainRuleRecord> rules,
                                             const kube::Labels& pod,
                                             const kube::Labels& namespace_);

// What a pod's own label says; none if it says nothing that is known.
std::optional<core::PodRule> RuleOfLabel(const kube::Labels& pod);

}  // namespace millwright::controllers::contract
