// A node changes itself and its own pods, and nobody else's.
#pragma once

#include "apiserver/rest/admission.h"
#include "apiserver/store/store.h"

namespace millwright::apiserver {

class NodeRestrictionStep final : public AdmissionStep {
 public:
  explicit NodeRestrictionStep(const Store& store) : store_(store) {}

  Task<Result<void>> Validate(const Admittance& about, const boost::json::value* object,
                              std::vector<std::string>& warnings) override;

 private:
  Result<void> CheckPod(const Admittance& about, std::string_view node,
                        const boost::json::value* object) const;
  Result<void> CheckNewPod(const Admittance& about, std::string_view node,
                           const boost::json::value& pod) const;

  const Store& store_;
};

}  // namespace millwright::apiserver
