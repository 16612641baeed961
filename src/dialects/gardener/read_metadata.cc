#include "dialects/gardener/read_metadata.h"

#include <charconv>

namespace millwright::dialects::gardener {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadTexts(JsonValue value, kube::Labels& texts) {
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue text) {
    return ReadInto(text, texts[std::string(key)]);
  }));
  texts.shrink_to_fit();
  return {};
}

Result<void> ReadOwner(JsonValue value, std::optional<Owner>& owner) {
  Owner read;
  bool controls = false;
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "kind") return ReadInto(field, read.kind);
    if (key == "name") return ReadInto(field, read.name);
    if (key == "uid") return ReadInto(field, read.uid);
    if (key == "controller") return ReadInto(field, controls);
    return {};
  }));
  if (controls) owner = std::move(read);
  return {};
}

}  // namespace

Result<void> ReadMetadataField(std::string_view key, JsonValue value, Metadata& metadata) {
  if (key == "labels") return ReadTexts(value, metadata.labels);
  if (key == "annotations") return ReadTexts(value, metadata.annotations);
  if (key == "finalizers") return ReadInto(value, metadata.finalizers);
  if (key == "creationTimestamp") return ReadInto(value, metadata.created);
  if (key == "ownerReferences") {
    return ForEachItem(value, [&](JsonValue item) { return ReadOwner(item, metadata.owner); });
  }
  return kube::ReadMetaField(key, value, metadata.meta);
}

Result<void> ReadMetadata(JsonValue value, Metadata& metadata) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) {
    return ReadMetadataField(key, field, metadata);
  });
}

const std::string* FindText(const kube::Labels& texts, std::string_view key) {
  const auto found = texts.find(key);
  return found == texts.end() ? nullptr : &found->second;
}

std::string_view TextAt(const kube::Labels& texts, std::string_view key) {
  const std::string* text = FindText(texts, key);
  return text != nullptr ? std::string_view(*text) : std::string_view();
}

std::optional<std::int64_t> NumberAt(const kube::Labels& texts, std::string_view key) {
  const std::string_view text = TextAt(texts, key);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<int> CountAt(const kube::Labels& texts, std::string_view key) {
  const auto number = NumberAt(texts, key);
  if (!number || *number < 0 || *number > INT32_MAX) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<WallTime> TimeAt(const kube::Labels& texts, std::string_view key) {
  const auto time = ParseTime(TextAt(texts, key));
  return time ? std::optional(*time) : std::nullopt;
}

std::optional<Duration> DurationAt(const kube::Labels& texts, std::string_view key) {
  const auto duration = ParseDuration(TextAt(texts, key));
  return duration ? std::optional(*duration) : std::nullopt;
}

}  // namespace millwright::dialects::gardener
