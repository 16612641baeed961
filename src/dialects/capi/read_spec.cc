#include "dialects/capi/read_spec.h"

#include "dialects/capi/read_parts.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::capi {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonValue;
using kube::LabelRequirement;
using kube::ReadInto;

namespace {

Result<void> ReadBootstrap(JsonValue value, MachineSpec& spec) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "configRef") return ReadReference(field, spec.bootstrap);
    if (key == "dataSecretName") return ReadInto(field, spec.data_secret);
    return {};
  });
}

Result<void> ReadDeletion(JsonValue value, HandedDown& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "nodeDrainTimeoutSeconds") return ReadInto(field, target.drain_timeout_seconds);
    if (key == "nodeVolumeDetachTimeoutSeconds") {
      return ReadInto(field, target.volume_timeout_seconds);
    }
    if (key == "nodeDeletionTimeoutSeconds") {
      return ReadInto(field, target.node_deletion_timeout_seconds);
    }
    return {};
  });
}

Result<void> ReadTaint(JsonValue value, core::WantedTaint& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "key") return ReadInto(field, target.taint.key);
    if (key == "value") return ReadInto(field, target.taint.value);
    if (key == "effect") return ReadInto(field, target.taint.effect);
    if (key != "propagation") return {};
    std::string propagation;
    CHECK_OK(ReadInto(field, propagation));
    target.only_at_first = propagation == "OnInitialization";
    return {};
  });
}

Result<void> ReadTemplateMetadata(JsonValue value, MachineTemplate& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "labels") return ReadTexts(field, target.labels);
    if (key == "annotations") return ReadTexts(field, target.annotations);
    return {};
  });
}

bool IsPlain(const LabelRequirement& requirement) {
  using Operator = LabelRequirement::Operator;
  const bool equals = requirement.op == Operator::kEquals ||
                      requirement.op == Operator::kDoubleEquals || requirement.op == Operator::kIn;
  return equals && requirement.values.size() == 1;
}

void TakeLabels(PlainSelector& target) {
  if (!target.problem.empty()) return;
  if (target.selector.requirements().empty()) {
    target = NoSelector();
    return;
  }
  for (const LabelRequirement& requirement : target.selector.requirements()) {
    if (!IsPlain(requirement)) {
      target.problem =
          "spec.selector can have labels and expressions with In and one value only, and has \"" +
          requirement.ToString() + "\"";
      target.labels.clear();
      return;
    }
    target.labels[requirement.key] = requirement.values.front();
  }
}

}  // namespace

Result<void> ReadGate(JsonValue value, ReadinessGate& gate) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditionType") return ReadInto(field, gate.type);
    if (key != "polarity") return {};
    std::string polarity;
    CHECK_OK(ReadInto(field, polarity));
    gate.negative = polarity == "Negative";
    return {};
  });
}

Result<void> ReadMachineSpec(JsonValue value, MachineSpec& spec) {
  HandedDown& handed_down = spec.handed_down;
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "clusterName") return ReadInto(field, spec.cluster);
    if (key == "bootstrap") return ReadBootstrap(field, spec);
    if (key == "infrastructureRef") return ReadReference(field, spec.infrastructure);
    if (key == "version") return ReadInto(field, spec.version);
    if (key == "providerID") return ReadInto(field, spec.provider_id);
    if (key == "failureDomain") return ReadInto(field, spec.failure_domain);
    if (key == "minReadySeconds") return ReadInto(field, handed_down.min_ready_seconds);
    if (key == "deletion") return ReadDeletion(field, handed_down);
    if (key == "readinessGates") {
      return ForEachItem(field, [&](JsonValue item) {
        return ReadGate(item, handed_down.readiness_gates.emplace_back());
      });
    }
    if (key == "taints") {
      return ForEachItem(field, [&](JsonValue item) {
        return ReadTaint(item, handed_down.taints.emplace_back());
      });
    }
    return {};
  });
}

Result<void> ReadTemplate(kube::JsonObject object, MachineTemplate& target) {
  return ForEachField(object, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "metadata") return ReadTemplateMetadata(field, target);
    if (key == "spec") return ReadMachineSpec(field, target.spec);
    return {};
  });
}

Result<void> ReadSelector(JsonValue value, kube::LabelSelector& selector, std::string& problem) {
  selector = kube::LabelSelector::Everything();
  if (kube::IsNull(value)) return {};
  TRY(const std::string_view raw, kube::RawJson(value));
  TRY(const boost::json::value parsed, kube::ParseJson(raw));
  auto decoded = kube::DecodeLabelSelector(parsed);
  if (decoded) {
    selector = *std::move(decoded);
  } else {
    selector = kube::LabelSelector::Nothing();
    problem = decoded.error().message();
  }
  return {};
}

Result<void> ReadPlainSelector(JsonValue value, PlainSelector& target) {
  target = {};
  CHECK_OK(ReadSelector(value, target.selector, target.problem));
  TakeLabels(target);
  return {};
}

PlainSelector NoSelector() {
  return {.selector = kube::LabelSelector::Nothing(),
          .labels = {},
          .problem = "spec.selector is empty: it would select every machine of the namespace"};
}

Result<void> ReadNaming(JsonValue value, std::string& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    return key == "template" ? ReadInto(field, target) : Result<void>();
  });
}

Result<void> ReadOrder(JsonValue value, std::string& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    return key == "order" ? ReadInto(field, target) : Result<void>();
  });
}

}  // namespace millwright::dialects::capi
