// The one way a stored object changes: read, make the new one, check it, write it if nobody was
// faster.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <boost/json/value.hpp>

#include "apiserver/rest/admit.h"
#include "apiserver/rest/call.h"
#include "apiserver/rest/options.h"
#include "apiserver/rest/prepare.h"

namespace millwright::apiserver {

// What a change is made of. May be called again when somebody else wrote in between.
struct NewState {
  boost::json::value object;
  // The client said which version it changes: then a conflict is its business.
  bool conditional = false;
  // managedFields are up to date already, as after an apply.
  bool owned = false;
  // Made by a patch: what does not fit the kind is then the patch's fault.
  bool patched = false;
};
using MakeNewState = std::function<Result<NewState>(const boost::json::value& old,
                                                    std::vector<std::string>& findings)>;

// Writes through the main endpoint or /status. An object in deletion whose last finalizer goes is
// removed with this write. The answer is the object as stored; an unchanged one is not written.
// Admission sees the form of the endpoint, if it has one.
Task<Result<Answer>> ChangeObject(const Services& services, const Call& call, Part part,
                                  const WriteOptions& options, MakeNewState make,
                                  const EndpointForm* form = nullptr);

// Stores a new object; `owned` as above.
Task<Result<Answer>> StoreNewObject(const Services& services, const Call& call,
                                    const WriteOptions& options, boost::json::value object,
                                    bool owned, std::vector<std::string> findings);

// Who is written down as the owner of fields: the parameter, or the program's name.
std::string FieldManagerOf(const Call& call, const WriteOptions& options);

// The name to store objects under, whatever version the client speaks.
std::string StorageApiVersion(const Resource& resource);

// Nothing holds the object back any more: it is in deletion, without finalizers or grace.
bool IsReadyToGo(const boost::json::value& object);

}  // namespace millwright::apiserver
