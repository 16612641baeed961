#include "apiserver/auth/certificates/endpoints.h"

#include "apiserver/rest/read.h"
#include "apiserver/rest/write.h"

namespace millwright::apiserver {

void AddCertificateEndpoints(SpecialEndpoints& endpoints) {
  const std::string approval = " certificates.k8s.io/certificatesigningrequests/approval";
  endpoints["get" + approval] = [](const Services& services, const Call& call) {
    return ReadObject(services, call);
  };
  endpoints["update" + approval] = [](const Services& services, const Call& call) {
    return UpdateObject(services, call, Part::kStatus);
  };
  endpoints["patch" + approval] = [](const Services& services, const Call& call) {
    return PatchObject(services, call, Part::kStatus);
  };
}

}  // namespace millwright::apiserver
