#include "dialects/capi/names.h"
#include "dialects/capi/read.h"
#include "dialects/capi/read_header.h"
#include "dialects/capi/read_parts.h"
#include "dialects/capi/read_spec.h"
#include "dialects/capi/read_template.h"

namespace millwright::dialects::capi {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadSpec(JsonValue value, SetRecord& set, kube::TextPool& texts) {
  SetSpec& spec = set.spec;
  PlainSelector selector = NoSelector();
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "clusterName") return ReadInto(field, spec.cluster);
    if (key == "replicas") return ReadInto(field, spec.replicas);
    if (key == "selector") return ReadPlainSelector(field, selector);
    if (key == "template") {
      return ReadWholeTemplate(field, texts, set.template_text, spec.machine_template);
    }
    if (key == "machineNaming") return ReadNaming(field, spec.naming);
    if (key == "deletion") return ReadOrder(field, spec.order);
    return {};
  }));
  TakeSelector(std::move(selector), spec);
  return {};
}

Result<void> ReadDeprecated(JsonValue value, SetStatus& status, kube::TextPool& texts) {
  return ForEachDeprecated(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditions") return ReadLegacyConditions(field, texts, status.legacy_conditions);
    if (key == "failureReason") return ReadInto(field, status.legacy_failure_reason);
    if (key == "failureMessage") return ReadInto(field, status.legacy_failure_message);
    if (key == "fullyLabeledReplicas") return ReadInto(field, status.legacy_fully_labeled);
    if (key == "readyReplicas") return ReadInto(field, status.legacy_ready);
    if (key == "availableReplicas") return ReadInto(field, status.legacy_available);
    return {};
  });
}

Result<void> ReadStatus(JsonValue value, SetStatus& status, kube::TextPool& texts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditions") return ReadConditions(field, texts, status.conditions);
    if (key == "selector") return ReadInto(field, status.selector);
    if (key == "replicas") return ReadInto(field, status.replicas);
    if (key == "readyReplicas") return ReadInto(field, status.ready);
    if (key == "availableReplicas") return ReadInto(field, status.available);
    if (key == "upToDateReplicas") return ReadInto(field, status.up_to_date);
    if (key == "versions") return ReadVersionCounts(field, status.versions);
    if (key == "observedGeneration") return ReadInto(field, status.observed_generation);
    if (key == "deprecated") return ReadDeprecated(field, status, texts);
    return {};
  });
}

}  // namespace

Result<SetRecord> Reader::Set(JsonObject object) {
  SetRecord set;
  TakeSelector(NoSelector(), set.spec);
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") {
      return ReadHeader(value, set, texts_, {{managers::kDeployment, &set.applied}});
    }
    if (key == "spec") return ReadSpec(value, set, texts_);
    if (key == "status") return ReadStatus(value, set.status, texts_);
    return {};
  }));
  return set;
}

}  // namespace millwright::dialects::capi
