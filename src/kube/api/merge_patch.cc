#include "kube/api/merge_patch.h"

#include <exception>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/typed_value.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

constexpr int kMaxDepth = 1000;

void Merge(json::value& target, const json::value& patch) {
  const json::object* members = patch.if_object();
  if (members == nullptr) {
    target = patch;
    return;
  }
  if (!target.is_object()) target.emplace_object();
  json::object& object = target.get_object();
  for (const auto& member : *members) {
    if (member.value().is_null()) {
      object.erase(member.key());
    } else {
      Merge(object[member.key()], member.value());
    }
  }
}

// The value without the null members of its objects, but not looking into lists: as a patch for
// something that is not an object, it is then taken over as it is.
json::value WithoutNulls(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  json::object kept;
  for (const auto& member : *object) {
    if (!member.value().is_null()) kept[member.key()] = WithoutNulls(member.value());
  }
  return kept;
}

json::object Diff(const json::object& before, const json::object& after);

// Adds to `patch` what turns the member `before`, null if there is none, into `after`.
void DiffMember(json::object& patch, std::string_view key, const json::value* before,
                const json::value& after) {
  if (before != nullptr && before->is_object() && after.is_object()) {
    json::object inner = Diff(before->get_object(), after.get_object());
    if (!inner.empty()) patch[key] = std::move(inner);
    return;
  }
  if (before == nullptr || !SameValue(*before, after)) patch[key] = WithoutNulls(after);
}

json::object Diff(const json::object& before, const json::object& after) {
  json::object patch;
  for (const auto& member : before) {
    const json::value* kept = after.if_contains(member.key());
    const bool turned_null = kept != nullptr && kept->is_null() && !member.value().is_null();
    if (kept == nullptr || turned_null) patch[member.key()] = nullptr;
  }
  for (const auto& member : after) {
    if (!member.value().is_null()) {
      DiffMember(patch, member.key(), before.if_contains(member.key()), member.value());
    }
  }
  return patch;
}

Failure TooDeep() {
  return Fail(ErrorKind::kInvalid, "the document or its merge patch is nested too deep");
}

}  // namespace

Result<json::value> ApplyMergePatch(json::value document, const json::value& patch) {
  if (IsNestedTooDeep(document, kMaxDepth) || IsNestedTooDeep(patch, kMaxDepth)) return TooDeep();
  try {
    Merge(document, patch);
    return document;
  } catch (const std::exception& e) {
    return Fail(ErrorKind::kInvalid, std::string("merge patch: ") + e.what());
  }
}

Result<json::value> CreateMergePatch(const json::value& before, const json::value& after) {
  if (IsNestedTooDeep(before, kMaxDepth) || IsNestedTooDeep(after, kMaxDepth)) return TooDeep();
  try {
    if (before.is_object() && after.is_object())
      return Diff(before.get_object(), after.get_object());
    return WithoutNulls(after);
  } catch (const std::exception& e) {
    return Fail(ErrorKind::kInvalid, std::string("merge patch: ") + e.what());
  }
}

}  // namespace millwright::kube
