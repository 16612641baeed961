// Strategic merge patch: one that knows which lists are keyed, and has directives for the rest.
#pragma once

#include <span>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::kube {

// How a patch meets what is there.
enum class PatchStrategy {
  kDefault,  // objects are merged, lists replaced
  kMerge,    // lists too: of objects by their merge key, of other values as sets
  kReplace,  // objects too are replaced
};

struct MergeKeys;

struct MergeField {
  std::string_view name;
  PatchStrategy strategy = PatchStrategy::kDefault;
  std::string_view merge_key = {};   // which member tells the objects of a merged list apart
  const MergeKeys* inner = nullptr;  // the rules inside the object, or inside each item of the list
};

// What a kind says about its fields. Fields that are not listed have the default strategy, all the
// way down. (The strategy retainKeys is not here: it tells those who make patches to send
// $retainKeys, which is always honoured.)
struct MergeKeys {
  std::span<const MergeField> fields;

  const MergeField* Find(std::string_view name) const;
};

// The document with the patch merged in, or kInvalid with the path of what does not fit. Null
// removes. Merged lists follow the order of the patch, new items before what only the server has.
// Directives in an object of the patch:
//
//   "$patch": "replace"                       take the rest of it instead of what is there
//   "$patch": "delete"                        leave an empty object
//   "$patch": "merge"                         the default
//   "$retainKeys": [names]                    remove every other member
//   "$deleteFromPrimitiveList/<list>": []     remove these values
//   "$setElementOrder/<list>": []             bring the list into this order; what else the server
//                                             has in it stays near its place
//
// In an item of a merged list, "replace" means the whole list, and "delete" the item of that key.
Result<boost::json::value> ApplyStrategicMergePatch(boost::json::value document,
                                                    const boost::json::value& patch,
                                                    const MergeKeys& keys);

}  // namespace millwright::kube
