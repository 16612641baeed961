// The spec of a machine, alone or in a template, and the selector beside a template.
#pragma once

#include <string>

#include "dialects/capi/records.h"
#include "kube/projection/json_reader.h"

namespace millwright::dialects::capi {

Result<void> ReadMachineSpec(kube::JsonValue value, MachineSpec& spec);
Result<void> ReadTemplate(kube::JsonObject object, MachineTemplate& target);

// One that does not parse is told in `problem`, and selects nothing. Null selects everything.
Result<void> ReadSelector(kube::JsonValue value, kube::LabelSelector& selector,
                          std::string& problem);

// The same for a set's or a deployment's: what it selects must be a plain map of labels, and not
// empty, or it would be a selector of every machine there is.
struct PlainSelector {
  kube::LabelSelector selector;
  kube::Labels labels;
  std::string problem;
};
Result<void> ReadPlainSelector(kube::JsonValue value, PlainSelector& target);

// What a selector that is not written is.
PlainSelector NoSelector();

// Into the spec of a set or a deployment.
template <class Spec>
void TakeSelector(PlainSelector selector, Spec& spec) {
  spec.selector = std::move(selector.selector);
  spec.selector_labels = std::move(selector.labels);
  spec.selector_problem = std::move(selector.problem);
}

// {"conditionType": "...", "polarity": "..."}
Result<void> ReadGate(kube::JsonValue value, ReadinessGate& gate);

// {"template": "..."} and {"order": "..."}.
Result<void> ReadNaming(kube::JsonValue value, std::string& target);
Result<void> ReadOrder(kube::JsonValue value, std::string& target);

}  // namespace millwright::dialects::capi
