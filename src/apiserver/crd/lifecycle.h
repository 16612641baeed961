// What the server itself writes into a CustomResourceDefinition when it is created, changed or
// deleted. Pure.
#pragma once

#include <boost/json/value.hpp>

#include "base/time.h"

namespace millwright::apiserver {

// Singular and list names, the conversion strategy, the port of its webhook.
void SetCrdDefaults(boost::json::value& crd);

// A new definition begins with a status of nothing but its storage version; a change of the storage
// version is noted down, since objects of both are in the store from now on.
void PrepareCrd(boost::json::value& crd, const boost::json::value* old);

// The beginning of the end: a finalizer that waits for the objects, and a condition.
void MarkCrdForRemoval(boost::json::value& crd, const boost::json::value& old, WallTime now);

}  // namespace millwright::apiserver
