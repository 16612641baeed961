#include "kube/api/apply_ownership.h"

#include <chrono>

#include "kube/api/typed_fields.h"

namespace millwright::kube {

namespace {

FieldPath Path(std::initializer_list<std::string_view> names) {
  FieldPath path;
  for (const auto name : names) path.push_back(PathElement::Field(name));
  return path;
}

const FieldSet& ServerFields() {
  static const FieldSet kFields = [] {
    FieldSet fields = FieldSet::Of({Path({"apiVersion"}), Path({"kind"}), Path({"metadata"})});
    for (const std::string_view name :
         {"clusterName", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp",
          "generation", "managedFields", "name", "namespace", "resourceVersion", "selfLink",
          "uid"}) {
      fields.Insert(Path({"metadata", name}));
    }
    return fields;
  }();
  return kFields;
}

}  // namespace

OwnedByOthers FindConflicts(const ManagedFields& managed, const Comparison& change,
                            const ManagerId& self) {
  const FieldSet changed = change.modified.Union(change.added);
  OwnedByOthers conflicts;
  for (const auto& [id, entry] : managed) {
    if (id == self) continue;
    FieldSet both = entry.fields.Intersection(changed);
    if (!both.empty()) conflicts.emplace(id, std::move(both));
  }
  return conflicts;
}

void TakeFromOthers(ManagedFields& managed, const Comparison& change, const ManagerId& self) {
  const FieldSet gone = change.modified.Union(change.added).Union(change.removed);
  for (auto& [id, entry] : managed) {
    if (id != self) entry.fields = entry.fields.Difference(gone);
  }
  std::erase_if(managed, [](const auto& item) { return item.second.fields.empty(); });
}

FieldSet WithoutServerFields(const FieldSet& fields) { return fields.Difference(ServerFields()); }

void AdjustToSchema(const Shape& shape, ManagedFields& managed) {
  for (auto& [id, entry] : managed) entry.fields = AdjustedTo(shape, entry.fields);
}

std::string ManagerName(const FieldWriter& writer) {
  return writer.manager.empty() ? "unknown" : writer.manager;
}

}  // namespace millwright::kube
