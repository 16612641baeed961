#include "kube/api/strategic_merge_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <set>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/strategic_merge_parts.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {
namespace strategic {
namespace {

namespace json = boost::json;

constexpr int kMaxDepth = 1000;

Failure Invalid(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

bool IsDirective(std::string_view key) {
  return key == kPatch || key == kRetainKeys || key.starts_with(kDeleteFromList) ||
         key.starts_with(kSetElementOrder);
}

Result<void> RetainKeys(json::object& target, const json::object& patch) {
  const json::value* directive = patch.if_contains(kRetainKeys);
  if (directive == nullptr) return Ok();
  const json::array* names = directive->if_array();
  if (names == nullptr) return Invalid("$retainKeys must be a list");
  std::set<std::string_view> retained;
  for (const json::value& name : *names) {
    if (name.is_string()) retained.insert(name.get_string());
  }
  for (const auto& member : patch) {
    const bool sets = !member.value().is_null() && !IsDirective(member.key());
    if (sets && !retained.contains(member.key())) {
      return Invalid(fmt::format("$retainKeys does not have '{}', which the patch sets",
                                 std::string_view(member.key())));
    }
  }
  json::object kept;
  for (auto& member : target) {
    if (retained.contains(member.key())) kept[member.key()] = std::move(member.value());
  }
  target = std::move(kept);
  return Ok();
}

void SetOrErase(json::object& target, std::string_view name, const json::value& patch) {
  auto plain = PlainValue(patch);
  if (plain) {
    target[name] = *std::move(plain);
  } else {
    target.erase(name);
  }
}

Result<void> MergeMember(json::object& target, std::string_view name, const json::value& patch,
                         const MergeField* field) {
  if (patch.is_null()) {
    target.erase(name);
    return Ok();
  }
  json::value* current = target.if_contains(name);
  const bool objects = current != nullptr && current->is_object() && patch.is_object();
  if (objects && (field == nullptr || field->strategy != PatchStrategy::kReplace)) {
    return MergeObject(*current, patch.get_object(), field == nullptr ? nullptr : field->inner);
  }
  const bool lists = current != nullptr && current->is_array() && patch.is_array();
  if (lists) {
    TRY(auto merged, MergeList(current->get_array(), patch.get_array(), field));
    *current = std::move(merged);
    return Ok();
  }
  SetOrErase(target, name, patch);
  return Ok();
}

// "$setElementOrder/<name>", together with the patch list of that name if there is one.
Result<void> MergeInOrder(json::object& target, std::string_view name, const json::object& patch,
                          const json::value& order, const MergeField* field) {
  const json::value* current = target.if_contains(name);
  const json::value* change = patch.if_contains(name);
  if (current == nullptr && change == nullptr) return Ok();
  const json::array empty;
  const json::array* server = current == nullptr ? &empty : current->if_array();
  const json::array* items = change == nullptr ? &empty : change->if_array();
  const json::array* wanted = order.if_array();
  if (server == nullptr || items == nullptr || wanted == nullptr) {
    return Invalid("$setElementOrder is only for lists");
  }
  CHECK_OK(CheckOrder(*items, *wanted, field));
  json::array merged = *server;
  if (change != nullptr && current != nullptr) {
    TRY(merged, MergeList(*server, *items, field));
  } else if (change != nullptr) {
    merged = PlainValue(*change)->get_array();
  }
  json::array ordered = OrderList(merged, *wanted, *server, field);  // `server` is in the target
  target[name] = std::move(ordered);
  return Ok();
}

Result<void> DeleteFromList(json::object& target, std::string_view name,
                            const json::value& values) {
  json::value* current = target.if_contains(name);
  if (!values.is_array()) return Invalid("$deleteFromPrimitiveList must be a list");
  if (current == nullptr || !current->is_array()) return Ok();
  *current = WithoutValues(current->get_array(), values.get_array());
  return Ok();
}

Result<void> MergeEntry(json::object& target, const json::key_value_pair& entry,
                        const json::object& patch, const MergeKeys* keys) {
  const std::string_view key = entry.key();
  const auto find = [keys](std::string_view name) {
    return keys == nullptr ? nullptr : keys->Find(name);
  };
  if (key.starts_with(kSetElementOrder)) {
    const std::string_view name = key.substr(kSetElementOrder.size());
    return MergeInOrder(target, name, patch, entry.value(), find(name));
  }
  // A list with an order is merged there.
  const bool ordered = patch.contains(std::string(kSetElementOrder).append(key));
  if (IsDirective(key) || ordered) return Ok();
  return MergeMember(target, key, entry.value(), find(key));
}

// Deletions come last, so that they do not depend on where in the patch they stand.
Result<void> MergeMembers(json::object& target, const json::object& patch, const MergeKeys* keys) {
  for (const auto& entry : patch) {
    auto merged = MergeEntry(target, entry, patch, keys);
    if (!merged) return Failure(std::move(merged).error().Wrap(entry.key()));
  }
  for (const auto& entry : patch) {
    const std::string_view key = entry.key();
    if (!key.starts_with(kDeleteFromList)) continue;
    CHECK_OK(DeleteFromList(target, key.substr(kDeleteFromList.size()), entry.value()));
  }
  return Ok();
}

}  // namespace

Result<Directive> ReadDirective(const json::object& patch) {
  const json::value* value = patch.if_contains(kPatch);
  if (value == nullptr) return Directive::kMerge;
  const std::string_view text = value->is_string() ? std::string_view(value->get_string()) : "";
  if (text == "merge") return Directive::kMerge;
  if (text == "replace") return Directive::kReplace;
  if (text == "delete") return Directive::kDelete;
  return Invalid("$patch must be merge, replace or delete");
}

std::optional<json::value> PlainValue(const json::value& patch) {
  if (const json::array* list = patch.if_array()) {
    json::array plain;
    for (const json::value& item : *list) {
      const json::object* object = item.if_object();
      const bool is_directive = object != nullptr && object->contains(kPatch);
      if (!is_directive) plain.push_back(*PlainValue(item));
    }
    return plain;
  }
  const json::object* object = patch.if_object();
  if (object == nullptr) return patch;
  const auto directive = ReadDirective(*object);
  if (directive && *directive == Directive::kDelete) return std::nullopt;
  json::object plain;
  for (const auto& member : *object) {
    if (member.value().is_null() || IsDirective(member.key())) continue;
    if (auto value = PlainValue(member.value())) plain[member.key()] = *std::move(value);
  }
  return plain;
}

Result<void> MergeObject(json::value& target, const json::object& patch, const MergeKeys* keys) {
  TRY(const Directive directive, ReadDirective(patch));
  switch (directive) {
    case Directive::kDelete: target.emplace_object(); return Ok();
    case Directive::kReplace: target = *PlainValue(patch); return Ok();
    case Directive::kMerge: break;
  }
  CHECK_OK(RetainKeys(target.get_object(), patch));
  return MergeMembers(target.get_object(), patch, keys);
}

}  // namespace strategic

const MergeField* MergeKeys::Find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &MergeField::name);
  return found == fields.end() ? nullptr : &*found;
}

Result<boost::json::value> ApplyStrategicMergePatch(boost::json::value document,
                                                    const boost::json::value& patch,
                                                    const MergeKeys& keys) {
  if (!document.is_object() || !patch.is_object()) {
    return strategic::Invalid("a strategic merge patch and its document must be objects");
  }
  if (IsNestedTooDeep(document, strategic::kMaxDepth) ||
      IsNestedTooDeep(patch, strategic::kMaxDepth)) {
    return strategic::Invalid("the document or its strategic merge patch is nested too deep");
  }
  try {
    auto merged = strategic::MergeObject(document, patch.get_object(), &keys);
    if (!merged) return Failure(std::move(merged).error().Wrap("strategic merge patch"));
    return document;
  } catch (const std::exception& e) {
    return strategic::Invalid(fmt::format("strategic merge patch: {}", e.what()));
  }
}

}  // namespace millwright::kube
