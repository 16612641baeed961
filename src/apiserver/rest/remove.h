// Deleting: at once, after a grace period, or once the finalizers are gone.
#pragma once

#include <optional>
#include <string>

#include <boost/json/value.hpp>

#include "apiserver/rest/call.h"
#include "base/time.h"

namespace millwright::apiserver {

struct RemovalOptions {
  enum class Propagation { kUnset, kOrphan, kBackground, kForeground };

  std::optional<std::int64_t> grace_seconds;
  std::string uid;               // the object must have it
  std::string resource_version;  // and this one
  Propagation propagation = Propagation::kUnset;
  bool dry_run = false;
  bool admitted = false;  // under another name: admission is not asked again
};

// From the body (null if there was none) and the query.
Result<RemovalOptions> ReadRemovalOptions(const boost::json::value& body,
                                          const net::Target& target);

// The same as an object, for whoever is shown them.
boost::json::value OptionsObject(const RemovalOptions& options);

// What a deletion makes of an object: the same with marks of its end. Pure.
boost::json::value MarkForRemoval(const Resource& resource, const boost::json::value& object,
                                  const RemovalOptions& options, WallTime now);

Task<Result<Answer>> RemoveObject(const Services& services, const Call& call);
Task<Result<Answer>> RemoveWith(const Services& services, const Call& call, RemovalOptions options);

// All that a list with the same parameters would show.
Task<Result<Answer>> RemoveCollection(const Services& services, const Call& call);

}  // namespace millwright::apiserver
