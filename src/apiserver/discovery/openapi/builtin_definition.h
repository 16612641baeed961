// Parts of built-in kinds as definitions.
#pragma once

#include <map>
#include <string>

#include <boost/json/object.hpp>

#include "apiserver/discovery/openapi/dialect.h"
#include "kube/api/group_version.h"
#include "kube/api/schema.h"
#include "kube/api/strategic_merge_patch.h"

namespace millwright::apiserver::openapi {

struct BuiltinPart {
  const kube::Schema* schema = nullptr;
  const kube::MergeKeys* merge_keys = nullptr;  // null: its lists are all replaced whole
};

// By the names of their definitions.
using BuiltinParts = std::map<std::string, BuiltinPart>;

// Adds the kind and every part that it refers to.
void CollectParts(const kube::GroupVersionKind& kind, BuiltinParts& parts);
// The same for the metadata that every object has.
void CollectObjectMeta(BuiltinParts& parts);

boost::json::object PartDocument(const std::string& name, const BuiltinPart& part, Dialect dialect);

}  // namespace millwright::apiserver::openapi
