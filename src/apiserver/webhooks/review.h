// The question to an admission webhook and its answer, as JSON. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/rest/admission.h"
#include "kube/api/status.h"

namespace millwright::apiserver {

// "CREATE".
std::string_view ToString(Admittance::Operation operation);

// As what the webhook sees an object: the request's own kind and resource, or others.
struct ReviewedAs {
  kube::GroupVersionKind kind;
  kube::GroupVersionResource resource;
};

// All of a request but its objects.
boost::json::object AdmissionRequestOf(const Admittance& about, const ReviewedAs& as,
                                       std::string_view uid);

// The body to post. Objects are null where there are none.
std::string WriteAdmissionReview(std::string_view version, boost::json::object request,
                                 const boost::json::value* object, const boost::json::value* old);

struct Verdict {
  bool allowed = false;
  std::optional<boost::json::value> patch = {};  // operations of a JSON patch; none if it is empty
  kube::Status status = {};
  std::vector<std::string> warnings = {};
};

// Fails with kInvalid, in the words of a kube-apiserver, on an answer to another question.
Result<Verdict> ReadAdmissionReview(std::string_view version, std::string_view uid, bool mutating,
                                    std::string_view body);

}  // namespace millwright::apiserver
