// The question of an API server about a write, and our answer (admission.k8s.io/v1). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "base/result.h"
#include "kube/api/group_version.h"
#include "kube/api/status.h"

namespace millwright::admission {

struct AdmissionQuestion {
  std::string uid;
  kube::GroupVersionKind kind;                // of the object as it is shown to us
  std::string operation;                      // CREATE, UPDATE, DELETE, CONNECT
  std::optional<boost::json::object> object;  // none: it is to be deleted
  std::optional<boost::json::object> old;     // none: it is new
};

// Fails with kInvalid for what is no such question.
Result<AdmissionQuestion> ReadAdmissionReview(std::string_view body);

struct AdmissionAnswer {
  std::optional<kube::Status> refusal;         // none: it may be written
  std::optional<boost::json::object> changed;  // none: as it is
};

std::string WriteAdmissionReview(const AdmissionQuestion& question, const AdmissionAnswer& answer);

}  // namespace millwright::admission
