#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "kube/api/strategic_merge_parts.h"
#include "kube/api/typed_value.h"

namespace millwright::kube::strategic {
namespace {

namespace json = boost::json;

Failure Invalid(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

struct ValueLess {
  bool operator()(const json::value* a, const json::value* b) const {
    return CompareValues(*a, *b) < 0;
  }
};

using Values = std::set<const json::value*, ValueLess>;
using Positions = std::map<const json::value*, size_t, ValueLess>;

// What tells items apart: the merge key of objects, the value itself of others. Null for an object
// without its key.
const json::value* KeyOf(const json::value& item, const MergeField* field) {
  const json::object* object = item.if_object();
  if (object == nullptr) return &item;
  return field == nullptr ? nullptr : object->if_contains(field->merge_key);
}

Positions FirstPositions(const json::array& list, const MergeField* field) {
  Positions positions;
  for (size_t i = 0; i < list.size(); ++i) {
    if (const json::value* key = KeyOf(list[i], field)) positions.emplace(key, i);
  }
  return positions;
}

std::optional<size_t> PositionOf(const Positions& positions, const json::value* key) {
  const auto found = key == nullptr ? positions.end() : positions.find(key);
  if (found == positions.end()) return std::nullopt;
  return found->second;
}

bool IsObject(const json::value& item) { return item.is_object(); }

// Merging makes sense only among objects with a key, or among plain values.
Result<void> CheckItems(const json::array& current, const json::array& patch,
                        const MergeField& field) {
  const bool objects =
      std::ranges::all_of(current, IsObject) && std::ranges::all_of(patch, IsObject);
  const auto plain = [](const json::value& item) { return !item.is_object() && !item.is_array(); };
  if (!objects && !(std::ranges::all_of(current, plain) && std::ranges::all_of(patch, plain))) {
    return Invalid("a merged list must hold only objects or only plain values");
  }
  if (!objects || (current.empty() && patch.empty())) return Ok();
  if (field.merge_key.empty())
    return Invalid("a list of objects cannot be merged without a merge key");
  const auto lacks_key = [&field](const json::value& item) {
    const json::object& object = item.get_object();
    const json::value* directive = object.if_contains(kPatch);
    return !object.contains(field.merge_key) && (directive == nullptr || *directive != "replace");
  };
  if (std::ranges::any_of(patch, lacks_key)) {
    return Invalid(fmt::format("an item lacks its merge key '{}'", field.merge_key));
  }
  return Ok();
}

// A patch list taken apart by the directives of its items.
struct ListChange {
  bool replace = false;
  Values deleted;
  std::vector<const json::value*> items;
};

Result<ListChange> ReadChange(const json::array& patch, const MergeField& field) {
  ListChange change;
  for (const json::value& item : patch) {
    const json::object* object = item.if_object();
    Directive directive = Directive::kMerge;
    if (object != nullptr) {
      TRY(directive, ReadDirective(*object));
    }
    switch (directive) {
      case Directive::kMerge: change.items.push_back(&item); break;
      case Directive::kReplace: change.replace = true; break;
      case Directive::kDelete: change.deleted.insert(KeyOf(item, &field)); break;
    }
  }
  return change;
}

// The current list without what is deleted, and each plain value only once.
json::array Kept(const json::array& current, const ListChange& change, const MergeField& field) {
  json::array kept;
  Values seen;
  for (const json::value& item : current) {
    const json::value* key = KeyOf(item, &field);
    if (key != nullptr && change.deleted.contains(key)) continue;
    if (item.is_object() || seen.insert(key).second) kept.push_back(item);
  }
  return kept;
}

// Appends new items and merges those whose key is there already.
Result<json::array> MergeItems(const json::array& kept, const ListChange& change,
                               const MergeField& field) {
  json::array merged = kept;
  Positions positions = FirstPositions(kept, &field);
  for (const json::value* item : change.items) {
    const json::value* key = KeyOf(*item, &field);
    const auto [entry, is_new] = positions.emplace(key, merged.size());
    if (is_new) {
      merged.push_back(*PlainValue(*item));
    } else if (item->is_object()) {
      CHECK_OK(MergeObject(merged[entry->second], item->get_object(), field.inner));
    }
  }
  return merged;
}

// Takes from both lists in turn. What only the server has comes first only where the server had it
// first.
json::array Interleave(const std::vector<const json::value*>& server_only,
                       const std::vector<const json::value*>& ordered, const Positions& server,
                       const MergeField* field) {
  json::array result;
  auto left = server_only.begin();
  auto right = ordered.begin();
  while (left != server_only.end() && right != ordered.end()) {
    const auto left_at = PositionOf(server, KeyOf(**left, field));
    const auto right_at = PositionOf(server, KeyOf(**right, field));
    const bool left_first = left_at && right_at && *left_at < *right_at;
    result.push_back(left_first ? **left++ : **right++);
  }
  for (; left != server_only.end(); ++left) result.push_back(**left);
  for (; right != ordered.end(); ++right) result.push_back(**right);
  return result;
}

// The items that have a place come in the order of these places, the others in the order they have.
json::array Arrange(const json::array& merged, const Positions& places, const Positions& server,
                    const MergeField* field) {
  std::vector<const json::value*> server_only;
  std::map<std::pair<size_t, size_t>, const json::value*> placed;  // by place, then as they came
  for (const json::value& item : merged) {
    if (const auto place = PositionOf(places, KeyOf(item, field))) {
      placed.emplace(std::pair(*place, placed.size()), &item);
    } else {
      server_only.push_back(&item);
    }
  }
  std::vector<const json::value*> ordered;
  for (const auto& [place, item] : placed) ordered.push_back(item);
  return Interleave(server_only, ordered, server, field);
}

}  // namespace

json::array OrderList(const json::array& merged, const json::array& wanted,
                      const json::array& server, const MergeField* field) {
  return Arrange(merged, FirstPositions(wanted, field), FirstPositions(server, field), field);
}

Result<void> CheckOrder(const json::array& patch, const json::array& wanted,
                        const MergeField* field) {
  if (wanted.empty()) return Ok();
  auto place = wanted.begin();
  for (const json::value& item : patch) {
    const json::object* object = item.if_object();
    if (object != nullptr && object->contains(kPatch)) continue;
    const json::value* key = KeyOf(item, field);
    const auto is_item = [&](const json::value& other) {
      const json::value* other_key = KeyOf(other, field);
      return key != nullptr && other_key != nullptr && SameValue(*key, *other_key);
    };
    place = std::find_if(place, wanted.end(), is_item);
    if (place == wanted.end())
      return Invalid("the items of the patch are not in the order of $setElementOrder");
    ++place;
  }
  return Ok();
}

Result<json::array> MergeList(const json::array& current, const json::array& patch,
                              const MergeField* field) {
  if (field == nullptr || field->strategy != PatchStrategy::kMerge)
    return PlainValue(patch)->get_array();
  CHECK_OK(CheckItems(current, patch, *field));
  TRY(const ListChange change, ReadChange(patch, *field));
  if (change.replace) return PlainValue(patch)->get_array();
  const json::array kept = Kept(current, change, *field);
  TRY(const json::array merged, MergeItems(kept, change, *field));
  Positions places;
  for (const json::value* item : change.items) places.emplace(KeyOf(*item, field), places.size());
  return Arrange(merged, places, FirstPositions(kept, field), field);
}

json::array WithoutValues(const json::array& list, const json::array& values) {
  Values unwanted;
  for (const json::value& value : values) unwanted.insert(&value);
  json::array kept;
  for (const json::value& item : list) {
    if (!unwanted.contains(&item)) kept.push_back(item);
  }
  return kept;
}

}  // namespace millwright::kube::strategic
