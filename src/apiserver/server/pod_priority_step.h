// A pod's priority is that of its class.
#pragma once

#include "apiserver/rest/admission.h"
#include "apiserver/rest/call.h"
#include "apiserver/store/store.h"

namespace millwright::apiserver {

class PodPriorityStep final : public AdmissionStep {
 public:
  explicit PodPriorityStep(const Store& store) : store_(store) {}

  Task<Result<void>> Mutate(const Admittance& about, boost::json::value* object,
                            std::vector<std::string>& warnings) override;
  // There is at most one class for pods that name none.
  Task<Result<void>> Validate(const Admittance& about, const boost::json::value* object,
                              std::vector<std::string>& warnings) override;

 private:
  // The one for pods that name none; null if there is none.
  boost::json::value DefaultClass() const;

  const Store& store_;
};

// The two classes that every cluster has.
Task<Result<void>> EnsureSystemPriorities(const Services& services);

}  // namespace millwright::apiserver
