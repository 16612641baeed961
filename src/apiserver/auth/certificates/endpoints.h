// certificatesigningrequests/approval, for the handler's table.
#pragma once

#include "apiserver/rest/dispatch.h"

namespace millwright::apiserver {

// Needs a CertificateRequestStep among the admission steps: that knows what an approval may write.
void AddCertificateEndpoints(SpecialEndpoints& endpoints);

}  // namespace millwright::apiserver
