// What the server itself writes into objects: identity, times, generations. Pure.
#pragma once

#include <string>

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "apiserver/rest/request.h"
#include "base/result.h"
#include "base/time.h"

namespace millwright::apiserver {

// What a create draws and reads before.
struct Birth {
  WallTime now{};
  std::string uid;
  std::string name_suffix;  // for generateName
};

// What a client sent, as admission first sees it: in the namespace of the path, without what only
// the server says. Fails with 400 if the object contradicts the path.
Result<void> PrepareForAdmission(const Resource& resource, const Place& place,
                                 boost::json::value& object);

// Makes a fresh object of what a client sent: name and namespace of the path, identity and times,
// no status where that has its own endpoint. Fails with 400 if the object contradicts the path.
Result<void> PrepareCreate(const Resource& resource, const Place& place, const Birth& birth,
                           boost::json::value& object);

// Which part of an object an endpoint writes.
enum class Part { kMain, kStatus };

// Takes from the stored object what the endpoint does not write: the system's fields, the status or
// everything else. Counts the generation.
void PrepareUpdate(const Resource& resource, Part part, const boost::json::value& old,
                   boost::json::value& object);

// apiVersion and kind must be those of the endpoint. Fails with 400.
Result<void> CheckKind(const Resource& resource, const boost::json::value& object);

// The member metadata, made if it is missing.
boost::json::object& MetadataOf(boost::json::value& object);

}  // namespace millwright::apiserver
