// Objects live in namespaces that exist and are not about to go.
#pragma once

#include "apiserver/rest/admission.h"
#include "apiserver/store/store.h"

namespace millwright::apiserver {

class NamespaceStep final : public AdmissionStep {
 public:
  explicit NamespaceStep(const Store& store) : store_(store) {}

  // Before anybody else is asked, and once more before it is stored.
  Task<Result<void>> Mutate(const Admittance& about, boost::json::value* object,
                            std::vector<std::string>& warnings) override;
  Task<Result<void>> Validate(const Admittance& about, const boost::json::value* object,
                              std::vector<std::string>& warnings) override;

 private:
  Result<void> Check(const Admittance& about) const;

  const Store& store_;
};

}  // namespace millwright::apiserver
