// What the signers of Kubernetes sign. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/auth/pki/signing_request.h"
#include "base/result.h"
#include "base/time.h"

namespace millwright::apiserver {

inline constexpr std::string_view kClientSigner = "kubernetes.io/kube-apiserver-client";
inline constexpr std::string_view kKubeletClientSigner =
    "kubernetes.io/kube-apiserver-client-kubelet";
inline constexpr std::string_view kKubeletServingSigner = "kubernetes.io/kubelet-serving";

// One of those that this server signs for.
bool IsOurSigner(std::string_view signer);

// kInvalid, in Kubernetes' words, if that signer must not sign it.
Result<void> CheckForSigner(std::string_view signer, const SigningRequest& request,
                            const std::vector<std::string>& usages);

struct Validity {
  WallTime begins{};
  WallTime ends{};
};
// From a little before now, for clocks that are behind; `seconds` is what the request asks for, 0
// if nothing.
Validity ValidityOf(WallTime now, std::int64_t seconds);

}  // namespace millwright::apiserver
