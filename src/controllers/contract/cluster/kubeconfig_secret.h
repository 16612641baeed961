// The kubeconfig of a cluster whose control plane nobody else looks after, made from its authority.
#pragma once

#include <string>

#include "base/random.h"
#include "base/secret.h"
#include "base/time.h"
#include "dialects/capi/records.h"

namespace millwright::controllers::contract {

// PEM texts of `<cluster>-ca`.
struct ClusterAuthority {
  std::string certificate;
  SecretText key;
};

// From the JSON text of the secret. kInvalid, without a word of its contents.
Result<ClusterAuthority> ReadAuthority(const std::string& secret);

// A kubeconfig for an administrator, whose certificate is signed by the authority.
Result<SecretText> MakeKubeconfig(const dialects::capi::ClusterRecord& cluster,
                                  const ClusterAuthority& authority, WallTime now, Random& random);

// The secret that holds it, as JSON text.
SecretText KubeconfigSecret(const dialects::capi::ClusterRecord& cluster,
                            const SecretText& kubeconfig);

}  // namespace millwright::controllers::contract
