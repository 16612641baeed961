// What we take from the metadata of every object of ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/machine_record.h"
#include "kube/projection/json_reader.h"

namespace millwright::dialects::gardener {

struct Metadata {
  kube::Meta meta;
  WallTime created{};
  kube::Labels labels;
  kube::Labels annotations;
  std::optional<Owner> owner;  // the controlling one
  std::vector<std::string> finalizers;
};

Result<void> ReadMetadata(kube::JsonValue value, Metadata& metadata);
Result<void> ReadMetadataField(std::string_view key, kube::JsonValue value, Metadata& metadata);

// The value of a label or annotation; null: it is not there.
const std::string* FindText(const kube::Labels& texts, std::string_view key);
std::string_view TextAt(const kube::Labels& texts, std::string_view key);
inline const Text* FindText(const kube::TextMap& texts, std::string_view key) {
  return texts.Find(key);
}
inline std::string_view TextAt(const kube::TextMap& texts, std::string_view key) {
  return texts.At(key);
}

// None: it is not there, or not of that form.
std::optional<std::int64_t> NumberAt(const kube::Labels& texts, std::string_view key);
std::optional<int> CountAt(const kube::Labels& texts, std::string_view key);
std::optional<WallTime> TimeAt(const kube::Labels& texts, std::string_view key);
std::optional<Duration> DurationAt(const kube::Labels& texts, std::string_view key);

}  // namespace millwright::dialects::gardener
