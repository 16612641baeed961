#include "dialects/gardener/canonical.h"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include "base/time.h"
#include "dialects/gardener/names.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 5> kDurations = {"drainTimeout", "healthTimeout",
                                                        "creationTimeout", "inPlaceUpdateTimeout",
                                                        "machinePreserveTimeout"};
constexpr std::array<std::string_view, 4> kPassedOthers = {
    "disableHealthTimeout", "maxEvictRetries", "nodeConditions", "nodeTemplate"};

bool IsPassed(std::string_view field) {
  return std::ranges::count(kDurations, field) + std::ranges::count(kPassedOthers, field) > 0;
}

bool IsEmpty(const json::value& value) {
  if (value.is_object()) return value.get_object().empty();
  if (value.is_array()) return value.get_array().empty();
  return value.is_null();
}

json::object CanonicalObject(const json::object& object) {
  std::vector<const json::key_value_pair*> members;
  members.reserve(object.size());
  for (const auto& member : object) members.push_back(&member);
  std::ranges::sort(members, {},
                    [](const auto* member) { return std::string_view(member->key()); });
  json::object sorted;
  sorted.reserve(members.size());
  for (const auto* member : members) {
    json::value value = Canonical(member->value());
    if (!IsEmpty(value)) sorted.emplace(member->key(), std::move(value));
  }
  return sorted;
}

void NormalizeDurations(json::object& spec) {
  for (const std::string_view field : kDurations) {
    json::value* value = spec.if_contains(field);
    if (value == nullptr || !value->is_string()) continue;
    const auto duration = ParseDuration(value->get_string());
    if (duration) *value = FormatDuration(*duration);
  }
}

// Empty text in these places is as good as none.
json::object WithoutEmptyText(const json::object& object) {
  json::object kept;
  for (const auto& [key, value] : object) {
    if (!value.is_string() || !value.get_string().empty()) kept.emplace(key, value);
  }
  return kept;
}

const json::object* ObjectAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr ? value->if_object() : nullptr;
}

json::object RollingSpec(const json::object& spec) {
  json::object kept;
  for (const auto& [key, value] : spec) {
    if (IsPassed(key)) continue;
    if (key == "class" && value.is_object()) {
      json::object machine_class = WithoutEmptyText(value.get_object());
      machine_class.erase("kind");
      kept.emplace(key, CanonicalObject(machine_class));
    } else {
      kept.emplace(key, value);
    }
  }
  return WithoutEmptyText(kept);
}

json::object RollingMetadata(json::object metadata) {
  if (json::value* labels = metadata.if_contains("labels"); labels && labels->is_object()) {
    labels->get_object().erase(labels::kTemplateHash);
  }
  return metadata;
}

}  // namespace

json::value Canonical(const json::value& value) {
  if (value.is_object()) return CanonicalObject(value.get_object());
  if (!value.is_array()) return value;
  json::array items;
  items.reserve(value.get_array().size());
  for (const json::value& item : value.get_array()) items.push_back(Canonical(item));
  return items;
}

std::string CanonicalText(const json::value& value) {
  const json::value canonical = Canonical(value);
  return IsEmpty(canonical) ? std::string() : json::serialize(canonical);
}

json::object PassedPart(const json::object& canonical_spec) {
  json::object passed;
  for (const auto& [key, value] : canonical_spec) {
    if (IsPassed(key)) passed.emplace(key, value);
    if (key != "class" || !value.is_object()) continue;
    const json::value* kind = value.get_object().if_contains("kind");
    if (kind != nullptr) passed.emplace(key, json::object{{"kind", *kind}});
  }
  NormalizeDurations(passed);
  return passed;
}

std::string_view UnreadableLimit(const json::object& spec) {
  for (const std::string_view field : kDurations) {
    const json::value* value = spec.if_contains(field);
    const bool written = value != nullptr && value->is_string() && !value->get_string().empty();
    if (written && !ParseDuration(value->get_string())) return field;
  }
  return {};
}

json::object RollingPart(const json::object& canonical_template) {
  json::object rolls;
  for (const auto& [key, value] : canonical_template) {
    if (key == "metadata" && value.is_object()) {
      rolls.emplace(key, RollingMetadata(value.get_object()));
    } else if (key == "spec" && value.is_object()) {
      rolls.emplace(key, RollingSpec(value.get_object()));
    } else {
      rolls.emplace(key, value);
    }
  }
  return CanonicalObject(rolls);
}

json::object CanonicalTemplate(const json::value& machine_template) {
  if (!machine_template.is_object()) return {};
  json::object canonical = CanonicalObject(machine_template.get_object());
  if (const json::object* spec = ObjectAt(canonical, "spec")) {
    json::object normal = *spec;
    NormalizeDurations(normal);
    canonical["spec"] = std::move(normal);
  }
  return canonical;
}

}  // namespace millwright::dialects::gardener
