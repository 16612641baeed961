#include "apiserver/rest/admission.h"

namespace millwright::apiserver {

std::string Admittance::Namespace() const {
  if (resource.namespaced) return place.namespace_;
  return resource.kind.group.empty() && resource.plural == "namespaces" ? name : std::string();
}

Task<Result<void>> AdmissionStep::Mutate(const Admittance& /*about*/,
                                         boost::json::value* /*object*/,
                                         std::vector<std::string>& /*warnings*/) {
  co_return Ok();
}

Task<Result<void>> AdmissionStep::Validate(const Admittance& /*about*/,
                                           const boost::json::value* /*object*/,
                                           std::vector<std::string>& /*warnings*/) {
  co_return Ok();
}

Task<Result<void>> Admission::Mutate(const Admittance& about, boost::json::value* object,
                                     std::vector<std::string>& warnings) {
  for (const auto& step : steps_) CO_CHECK(co_await step->Mutate(about, object, warnings));
  co_return Ok();
}

Task<Result<void>> Admission::Validate(const Admittance& about, const boost::json::value* object,
                                       std::vector<std::string>& warnings) {
  for (const auto& step : steps_) CO_CHECK(co_await step->Validate(about, object, warnings));
  co_return Ok();
}

}  // namespace millwright::apiserver
