// Parts that several kinds have in common, read from JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialects/capi/records.h"
#include "kube/projection/json_reader.h"
#include "kube/projection/raw_json.h"

namespace millwright::dialects::capi {

// With the keys of all objects in order.
Result<kube::SharedText> CanonicalText(std::string_view json, kube::TextPool& texts);

// Text that many objects have in common; null is empty.
Result<void> ReadRaw(kube::JsonValue value, kube::TextPool& texts, kube::SharedText& target);
Result<void> ReadCanonical(kube::JsonValue value, kube::TextPool& texts, kube::SharedText& target);

Result<void> ReadTexts(kube::JsonValue value, kube::Labels& target);
Result<void> ReadReference(kube::JsonValue value, Reference& target);

Truth ParseTruth(std::string_view text);

Result<void> ReadConditions(kube::JsonValue value, kube::TextPool& texts, Conditions& target);
Result<void> ReadLegacyConditions(kube::JsonValue value, kube::TextPool& texts,
                                  LegacyConditions& target);

Result<void> ReadVersionCounts(kube::JsonValue value, std::vector<VersionCount>& target);

// A number or a percentage. What is neither is told in `problem`, after the name of the field.
Result<void> ReadAmount(kube::JsonValue value, std::string_view field,
                        std::optional<core::Amount>& target, std::string& problem);

// What a deprecated part of a status has: status.deprecated.v1beta1.
template <class Visit>
Result<void> ForEachDeprecated(kube::JsonValue deprecated, Visit visit) {
  return kube::ForEachField(
      deprecated, [&](std::string_view key, kube::JsonValue value) -> Result<void> {
        return key == "v1beta1" ? kube::ForEachField(value, visit) : Result<void>();
      });
}

}  // namespace millwright::dialects::capi
