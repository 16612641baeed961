// The steps of making a Pki, for those who make it in memory and in files.
#pragma once

#include "apiserver/auth/pki/pki.h"

namespace millwright::apiserver {

CertificatePlan AuthorityPlan(WallTime now);
CertificatePlan ServerPlan(const AlternativeNames& names, WallTime now);
CertificatePlan AdminPlan(WallTime now);

// With a new key.
Identity IssueIdentity(const CertificatePlan& plan, const Authority& authority, Random& random);

// It is whole, signed by the authority, for the names of the plan, and good for a while yet.
bool Fulfils(const Identity& identity, const CertificatePlan& plan, const Authority& authority,
             WallTime now);

// When the first of its certificates comes near its end.
WallTime RenewalOf(const Pki& pki);

}  // namespace millwright::apiserver
