// JSON Merge Patch (RFC 7386): looks like the object it changes, with null for what is to go.
#pragma once

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::kube {

// The document with the patch merged in: objects member by member, everything else (lists too)
// replaced whole. Fails with kInvalid only if one of them is nested deeper than any real object.
Result<boost::json::value> ApplyMergePatch(boost::json::value document,
                                           const boost::json::value& patch);

// The smallest patch that makes `after` of `before`; an empty object if they are the same. Numbers
// are compared by value. Nulls inside objects of `after` count as absent: a merge patch cannot
// write them.
Result<boost::json::value> CreateMergePatch(const boost::json::value& before,
                                            const boost::json::value& after);

}  // namespace millwright::kube
