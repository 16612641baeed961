#include "dialects/capi/read_parts.h"

#include <fmt/format.h>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

#include "kube/api/json_text.h"

namespace millwright::dialects::capi {

namespace json = boost::json;
using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonValue;
using kube::ReadInto;

namespace {

json::value Ordered(const json::value& value) {
  if (const json::array* items = value.if_array()) {
    json::array ordered;
    ordered.reserve(items->size());
    for (const json::value& item : *items) ordered.push_back(Ordered(item));
    return ordered;
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  std::vector<std::string_view> keys;
  keys.reserve(object->size());
  for (const auto& [key, unused] : *object) keys.push_back(key);
  std::ranges::sort(keys);
  json::object ordered;
  ordered.reserve(keys.size());
  for (const std::string_view key : keys) ordered.emplace(key, Ordered(object->at(key)));
  return ordered;
}

Result<void> ReadTruth(JsonValue value, Truth& target) {
  std::string text;
  CHECK_OK(ReadInto(value, text));
  target = ParseTruth(text);
  return {};
}

Result<void> ReadCondition(JsonValue value, kube::TextPool& texts, Condition& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "type") return ReadInto(field, texts, target.type);
    if (key == "status") return ReadTruth(field, target.status);
    if (key == "reason") return ReadInto(field, texts, target.reason);
    if (key == "message") return ReadInto(field, texts, target.message);
    if (key == "lastTransitionTime") return ReadInto(field, target.since);
    if (key == "observedGeneration") return ReadInto(field, target.observed_generation);
    return {};
  });
}

Result<void> ReadLegacyCondition(JsonValue value, kube::TextPool& texts, LegacyCondition& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "type") return ReadInto(field, texts, target.type);
    if (key == "status") return ReadTruth(field, target.status);
    if (key == "severity") return ReadInto(field, texts, target.severity);
    if (key == "reason") return ReadInto(field, texts, target.reason);
    if (key == "message") return ReadInto(field, texts, target.message);
    if (key == "lastTransitionTime") return ReadInto(field, target.since);
    return {};
  });
}

Result<void> ReadVersionCount(JsonValue value, VersionCount& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "version") return ReadInto(field, target.version);
    if (key == "replicas") return ReadInto(field, target.replicas);
    return {};
  });
}

}  // namespace

Result<kube::SharedText> CanonicalText(std::string_view json, kube::TextPool& texts) {
  TRY(const json::value parsed, kube::ParseJson(json));
  return texts.Share(json::serialize(Ordered(parsed)));
}

Result<void> ReadRaw(JsonValue value, kube::TextPool& texts, kube::SharedText& target) {
  if (kube::IsNull(value)) return {};
  TRY(const std::string_view raw, kube::RawJson(value));
  target = texts.Share(raw);
  return {};
}

Result<void> ReadCanonical(JsonValue value, kube::TextPool& texts, kube::SharedText& target) {
  if (kube::IsNull(value)) return {};
  TRY(const std::string_view raw, kube::RawJson(value));
  TRY(target, CanonicalText(raw, texts));
  return {};
}

Result<void> ReadTexts(JsonValue value, kube::Labels& target) {
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue text) {
    return ReadInto(text, target[std::string(key)]);
  }));
  target.shrink_to_fit();
  return {};
}

Result<void> ReadReference(JsonValue value, Reference& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "kind") return ReadInto(field, target.kind);
    if (key == "name") return ReadInto(field, target.name);
    if (key == "apiGroup") return ReadInto(field, target.group);
    return {};
  });
}

Truth ParseTruth(std::string_view text) {
  if (text == "True") return Truth::kTrue;
  return text == "False" ? Truth::kFalse : Truth::kUnknown;
}

Result<void> ReadConditions(JsonValue value, kube::TextPool& texts, Conditions& target) {
  CHECK_OK(ForEachItem(
      value, [&](JsonValue item) { return ReadCondition(item, texts, target.emplace_back()); }));
  target.shrink_to_fit();
  return {};
}

Result<void> ReadLegacyConditions(JsonValue value, kube::TextPool& texts,
                                  LegacyConditions& target) {
  CHECK_OK(ForEachItem(value, [&](JsonValue item) {
    return ReadLegacyCondition(item, texts, target.emplace_back());
  }));
  target.shrink_to_fit();
  return {};
}

Result<void> ReadVersionCounts(JsonValue value, std::vector<VersionCount>& target) {
  return ForEachItem(value,
                     [&](JsonValue item) { return ReadVersionCount(item, target.emplace_back()); });
}

Result<void> ReadAmount(JsonValue value, std::string_view field,
                        std::optional<core::Amount>& target, std::string& problem) {
  if (kube::IsNull(value)) return {};
  int number = 0;
  if (ReadInto(value, number)) {
    target = core::Amount::Of(number);
    return {};
  }
  std::string text;
  CHECK_OK(ReadInto(value, text));
  if (auto percent = core::Amount::ParsePercent(text)) {
    target = *percent;
  } else {
    problem =
        fmt::format("{} is \"{}\", which is neither a whole number nor a percentage", field, text);
  }
  return {};
}

}  // namespace millwright::dialects::capi
