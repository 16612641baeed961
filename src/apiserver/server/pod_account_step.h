// Every pod runs as a service account, and has that account's token at hand.
#pragma once

#include "apiserver/rest/admission.h"
#include "apiserver/store/store.h"
#include "base/clock.h"
#include "base/random.h"

namespace millwright::apiserver {

class PodAccountStep final : public AdmissionStep {
 public:
  // All outlive it.
  PodAccountStep(Store& store, Clock& clock, Random& random)
      : store_(store), clock_(clock), random_(random) {}

  Task<Result<void>> Mutate(const Admittance& about, boost::json::value* object,
                            std::vector<std::string>& warnings) override;

 private:
  // Null if there is none. That of a new namespace is waited for.
  Task<RecordPtr> FindAccount(std::string namespace_, std::string name);

  Store& store_;
  Clock& clock_;
  Random& random_;
};

// The pod with that account: its name, its pull secrets if the pod has none, and its token, unless
// one of them does not want it. Pure.
void RunAs(const boost::json::value& account, std::string_view volume_name,
           boost::json::value& pod);

}  // namespace millwright::apiserver
