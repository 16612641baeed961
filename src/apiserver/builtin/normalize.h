// Objects as the Go types of a real server write them.
#pragma once

#include <boost/json/value.hpp>

#include "base/result.h"
#include "kube/api/group_version.h"

namespace millwright::apiserver {

// Makes of an object what decoding it into its Go type and encoding it again makes of it: fields of
// no use to the type go, zero values go or come as the type has it, times and quantities are
// written in their one way. Doing it twice changes nothing more.
//
// A value of the wrong type is kInvalid, in the words of a real server's 400. The kind has to be a
// built-in one.
Result<void> NormalizeBuiltin(const kube::GroupVersionKind& kind, boost::json::value& object);

}  // namespace millwright::apiserver
