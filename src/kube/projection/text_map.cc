#include "kube/projection/text_map.h"

#include <algorithm>

#include "kube/api/label_match.h"

namespace millwright::kube {

namespace {

using Entry = TextMap::Entry;

// Texts that are used so often are likely to be on other objects too. An object's own name is in
// several places, and for a moment in its old state and its new one.
constexpr std::uint32_t kManyUsers = 24;

bool IsCommon(const Entry& entry) { return entry.second.users() >= kManyUsers; }

bool IsTidy(const std::vector<Entry>& entries) {
  return std::ranges::adjacent_find(entries, [](const Entry& a, const Entry& b) {
           return a.first >= b.first;
         }) == entries.end();
}

// The last one of each key, in the order of keys, as servers write them. (std::stable_sort of
// libstdc++ 12 calls a deprecated function, which our warnings refuse; there are few.)
void Tidy(std::vector<Entry>& entries) {
  if (IsTidy(entries)) return;
  std::vector<Entry> sorted;
  sorted.reserve(entries.size());
  for (Entry& entry : entries) {
    const auto place = std::ranges::lower_bound(sorted, entry.first, {}, &Entry::first);
    if (place != sorted.end() && place->first == entry.first) {
      *place = std::move(entry);
    } else {
      sorted.insert(place, std::move(entry));
    }
  }
  entries = std::move(sorted);
}

const Text* FindIn(const std::vector<Entry>& entries, std::string_view key) {
  const auto place = std::ranges::lower_bound(
      entries, key, {}, [](const Entry& entry) -> std::string_view { return entry.first; });
  return place != entries.end() && place->first == key ? &place->second : nullptr;
}

}  // namespace

TextMap::TextMap(std::vector<Entry> entries) : own_(std::move(entries)) { Tidy(own_); }

TextMap::TextMap(const Labels& labels) : own_(labels.begin(), labels.end()) {}

const Text* TextMap::Find(std::string_view key) const {
  const Text* found = FindIn(own_, key);
  return found != nullptr || !common_ ? found : FindIn(*common_, key);
}

std::string_view TextMap::At(std::string_view key) const {
  const Text* found = Find(key);
  return found != nullptr ? found->view() : std::string_view();
}

std::optional<std::string_view> TextMap::Get(std::string_view key) const {
  const Text* found = Find(key);
  return found != nullptr ? std::optional(found->view()) : std::nullopt;
}

std::vector<Entry> TextMap::entries() const {
  std::vector<Entry> all;
  all.reserve(size());
  std::ranges::merge(common_.get(), own_, std::back_inserter(all), {}, &Entry::first,
                     &Entry::first);
  return all;
}

void TextMap::Set(Text key, Text value) {
  std::vector<Entry> all = entries();
  all.emplace_back(std::move(key), std::move(value));
  *this = TextMap(std::move(all));
}

bool operator==(const TextMap& a, const TextMap& b) {
  if (a.common_ == b.common_ && a.own_ == b.own_) return true;
  // What is common may have been judged differently.
  return a.size() == b.size() && a.entries() == b.entries();
}

bool Matches(const LabelSelector& selector, const TextMap& labels) {
  return MatchesBy(selector, [&labels](std::string_view key) { return labels.Get(key); });
}

Result<void> TextMapPool::ReadInto(JsonValue value, TextMap& target) {
  std::vector<Entry> entries;
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    Entry& entry = entries.emplace_back();
    entry.first = texts_.Share(key);
    return kube::ReadInto(field, texts_, entry.second);
  }));
  target = Make(std::move(entries));
  return {};
}

TextMap TextMapPool::Make(std::vector<Entry> entries) {
  Tidy(entries);
  TextMap made;
  const auto own = std::ranges::count_if(entries, [](const Entry& e) { return !IsCommon(e); });
  made.own_.reserve(static_cast<std::size_t>(own));
  std::vector<Entry> common;
  common.reserve(entries.size() - static_cast<std::size_t>(own));
  for (Entry& entry : entries) (IsCommon(entry) ? common : made.own_).push_back(std::move(entry));
  if (!common.empty()) made.common_ = commons_.Share(std::move(common));
  return made;
}

}  // namespace millwright::kube
