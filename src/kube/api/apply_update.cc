// managedFields after a create, an update or a patch.
#include <chrono>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/apply.h"
#include "kube/api/apply_ownership.h"
#include "kube/api/typed_check.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

// A single entry of which nothing is said asks for the books to be thrown away.
bool IsReset(const json::array& entries) {
  if (entries.empty()) return true;
  return entries.size() == 1 && entries[0].is_object() && entries[0].get_object().empty();
}

// Books that cannot be read are as good as none: an update must not fail because of them.
ManagedFields ReadOrEmpty(const json::array* entries) {
  if (entries == nullptr) return {};
  auto managed = DecodeManagedFields(*entries);
  return managed ? *std::move(managed) : ManagedFields();
}

ManagedFields ChooseBooks(const json::value* live, const json::value& object,
                          const std::string& subresource) {
  const json::array* kept = live == nullptr ? nullptr : FindManagedFields(*live);
  const json::array* sent = subresource.empty() ? FindManagedFields(object) : nullptr;
  if (sent == nullptr) return ReadOrEmpty(kept);
  if (IsReset(*sent)) return {};
  // Clients that do not know managedFields may send back something broken; they must not lose them.
  ManagedFields managed = ReadOrEmpty(sent);
  return managed.empty() ? ReadOrEmpty(kept) : managed;
}

// The writer's own changes go through a name of their own first: what it owned before and changed
// now is taken from it like from anybody else, so that an update without a change keeps its time
// stamp.
void Credit(ManagedFields& managed, const Comparison& change, const FieldWriter& writer) {
  TakeFromOthers(managed, change, {});
  FieldSet own = WithoutServerFields(change.modified.Union(change.added));
  if (own.empty()) return;
  ManagedEntry& entry =
      managed[ManagerId::Updater(ManagerName(writer), writer.api_version, writer.subresource)];
  entry.fields = entry.fields.Union(own);
  entry.api_version = writer.api_version;
  entry.time.reset();
  if (writer.time != WallTime{}) entry.time = std::chrono::floor<std::chrono::seconds>(writer.time);
}

}  // namespace

Result<void> UpdateManagedFields(const OwnershipRules& rules, const json::value* live,
                                 json::value& object, const FieldWriter& writer) {
  const json::value& before = live == nullptr ? rules.blank : *live;
  if (IsNestedTooDeep(object) || IsNestedTooDeep(before)) {
    return Fail(ErrorKind::kInvalid, "the object is nested too deep");
  }
  ManagedFields managed = ChooseBooks(live, object, writer.subresource);
  StoreManagedFields({}, object);
  if (managed.empty() && live != nullptr) return Ok();

  const Shape shape = Shape::OfResource(rules.schema);
  const json::value old = WithoutManagedFields(before);
  CHECK_OK(CheckShape(shape, object, Duplicates::kAllowed));
  CHECK_OK(CheckShape(shape, old, Duplicates::kAllowed));
  AdjustToSchema(shape, managed);
  Credit(managed, Compare(shape, old, object).Without(rules.reset_fields), writer);
  CapUpdaters(managed);
  StoreManagedFields(managed, object);
  return Ok();
}

}  // namespace millwright::kube
