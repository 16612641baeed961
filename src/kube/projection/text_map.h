// Labels or annotations of objects that are kept by the ten thousands.
//
// Most of them are the same on all Nodes of a pool, and a few (the host name) are each one's own.
// Those that many objects have are one list that these objects share; the others stand beside it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/shared.h"
#include "kube/api/labels.h"
#include "kube/projection/text_pool.h"

namespace millwright::kube {

class TextMap {
 public:
  using Entry = std::pair<Text, Text>;

  TextMap() = default;
  TextMap(std::initializer_list<Entry> entries) : TextMap(std::vector<Entry>(entries)) {}
  // Of equal keys the last one counts.
  explicit TextMap(std::vector<Entry> entries);
  explicit TextMap(const Labels& labels);

  // Null: it is not there. Valid as long as the map.
  const Text* Find(std::string_view key) const;
  // Empty: it is not there, or is empty.
  std::string_view At(std::string_view key) const;
  bool contains(std::string_view key) const { return Find(key) != nullptr; }

  // For whoever asks for any kind of map.
  std::optional<std::string_view> Get(std::string_view key) const;

  bool empty() const { return size() == 0; }
  std::size_t size() const { return common_.get().size() + own_.size(); }

  // All of them, sorted by key.
  std::vector<Entry> entries() const;

  void Set(Text key, Text value);

  friend bool operator==(const TextMap& a, const TextMap& b);

 private:
  friend class TextMapPool;
  using Entries = std::vector<Entry>;

  // Both sorted by key; no key is in both.
  Shared<Entries> common_;
  Entries own_;
};

bool Matches(const LabelSelector& selector, const TextMap& labels);

class TextMapPool {
 public:
  explicit TextMapPool(TextPool& texts) : texts_(texts) {}

  TextPool& texts() { return texts_; }

  // An object of texts; null is an empty one.
  Result<void> ReadInto(JsonValue value, TextMap& target);

  TextMap Make(std::vector<TextMap::Entry> entries);

 private:
  TextPool& texts_;
  SharedPool<TextMap::Entries> commons_;
};

}  // namespace millwright::kube
