// From a call to the endpoint that answers it.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "apiserver/rest/call.h"

namespace millwright::apiserver {

// An endpoint that is not one of the usual: "pods/eviction", "serviceaccounts/token".
using SpecialEndpoint = std::function<Task<Result<Answer>>(const Services&, const Call&)>;
// By verb, group, resource and subresource: "create /pods/eviction", "update
// certificates.k8s.io/..."
using SpecialEndpoints = std::map<std::string, SpecialEndpoint, std::less<>>;

std::string EndpointName(std::string_view verb, const Place& place);

Task<Result<Answer>> Dispatch(const Services& services, const SpecialEndpoints& special,
                              const Call& call);

}  // namespace millwright::apiserver
