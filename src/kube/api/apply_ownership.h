// The book-keeping that applying and updating share.
#pragma once

#include <boost/json/value.hpp>

#include "kube/api/apply.h"
#include "kube/api/managed_fields.h"
#include "kube/api/typed_compare.h"
#include "kube/api/typed_shape.h"

namespace millwright::kube {

// What each of the others owns of what a change touched.
using OwnedByOthers = std::map<ManagerId, FieldSet>;

// Fields that others would lose because their value changes.
OwnedByOthers FindConflicts(const ManagedFields& managed, const Comparison& change,
                            const ManagerId& self);

// Takes changed and removed fields away from the others, and drops who is left with nothing.
void TakeFromOthers(ManagedFields& managed, const Comparison& change, const ManagerId& self);

// Names, times and versions that the server itself looks after, and that nobody can own.
FieldSet WithoutServerFields(const FieldSet& fields);

// All sets as the schema of today would have them written.
void AdjustToSchema(const Shape& shape, ManagedFields& managed);

std::string ManagerName(const FieldWriter& writer);

}  // namespace millwright::kube
