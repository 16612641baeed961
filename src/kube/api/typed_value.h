// JSON values compared the way Kubernetes compares them: by number, not by spelling.
#pragma once

#include <compare>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace millwright::kube {

// No object or schema of a working cluster comes near this; past it, walking a document recursively
// would endanger the stack.
inline constexpr int kMaxNesting = 256;

// A total order: numbers, strings, booleans, lists, objects, null. 1 and 1.0 are the same number.
std::weak_ordering CompareValues(const boost::json::value& a, const boost::json::value& b);

// Equal under CompareValues, without the cost of ordering the keys of objects.
bool SameValue(const boost::json::value& a, const boost::json::value& b);

// Whether the value can be walked recursively. Every public function here that takes a document
// asks this first, so that the walkers need not count.
bool IsNestedTooDeep(const boost::json::value& value, int limit = kMaxNesting);
bool IsNestedTooDeep(const boost::json::object& object, int limit = kMaxNesting);

}  // namespace millwright::kube
