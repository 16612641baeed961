#include "apiserver/auth/certificates/signer_rules.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace millwright::apiserver {

namespace {

using Usages = std::set<std::string_view>;

constexpr Duration kBackdate = std::chrono::minutes(5);
constexpr Duration kLongest = std::chrono::hours(24 * 365);
constexpr Duration kShortest = std::chrono::minutes(10);
// Of shorter ones, the backdating would take away too much.
constexpr Duration kShort = std::chrono::hours(8);

Failure Refused(std::string why) { return Fail(ErrorKind::kInvalid, std::move(why)); }

Result<void> CheckClient(const std::vector<std::string>& usages) {
  for (const std::string& usage : usages) {
    const bool allowed =
        usage == "digital signature" || usage == "key encipherment" || usage == "client auth";
    if (!allowed) return Refused("invalid usage for client certificate: " + usage);
  }
  if (std::ranges::find(usages, "client auth") != usages.end()) return Ok();
  return Refused("missing required usage for client certificate: client auth");
}

// Keys that are not RSA need no encipherment.
bool Match(const std::vector<std::string>& usages, std::string_view purpose) {
  Usages asked(usages.begin(), usages.end());
  asked.erase("key encipherment");
  return asked == Usages{"digital signature", purpose};
}

bool IsNodeName(const SigningRequest& request) {
  return request.common_name.starts_with("system:node:");
}

bool IsInNodesOnly(const SigningRequest& request) {
  return request.organizations == std::vector<std::string>{"system:nodes"};
}

Result<void> CheckKubeletServing(const SigningRequest& request,
                                 const std::vector<std::string>& usages) {
  const AlternativeNames& names = request.names;
  if (!IsInNodesOnly(request)) return Refused("subject organization is not system:nodes");
  if (names.dns_names.empty() && names.ip_addresses.empty()) {
    return Refused("DNS or IP subjectAltName is required");
  }
  if (!names.emails.empty()) return Refused("Email subjectAltNames are not allowed");
  if (!names.uris.empty()) return Refused("URI subjectAltNames are not allowed");
  if (!Match(usages, "server auth")) {
    return Refused("usages did not match [digital signature key encipherment server auth]");
  }
  if (!IsNodeName(request)) {
    return Refused("subject common name does not begin with system:node:");
  }
  return Ok();
}

Result<void> CheckKubeletClient(const SigningRequest& request,
                                const std::vector<std::string>& usages) {
  const AlternativeNames& names = request.names;
  if (!IsInNodesOnly(request)) return Refused("subject organization is not system:nodes");
  if (!names.dns_names.empty()) return Refused("DNS subjectAltNames are not allowed");
  if (!names.emails.empty()) return Refused("Email subjectAltNames are not allowed");
  if (!names.ip_addresses.empty()) return Refused("IP subjectAltNames are not allowed");
  if (!names.uris.empty()) return Refused("URI subjectAltNames are not allowed");
  if (!IsNodeName(request)) {
    return Refused("subject common name does not begin with system:node:");
  }
  if (!Match(usages, "client auth")) {
    return Refused("usages did not match [client auth digital signature key encipherment]");
  }
  return Ok();
}

}  // namespace

bool IsOurSigner(std::string_view signer) {
  return signer == kClientSigner || signer == kKubeletClientSigner ||
         signer == kKubeletServingSigner;
}

Result<void> CheckForSigner(std::string_view signer, const SigningRequest& request,
                            const std::vector<std::string>& usages) {
  if (signer == kClientSigner) return CheckClient(usages);
  if (signer == kKubeletClientSigner) return CheckKubeletClient(request, usages);
  if (signer == kKubeletServingSigner) return CheckKubeletServing(request, usages);
  return Refused("this server does not sign for " + std::string(signer));
}

Validity ValidityOf(WallTime now, std::int64_t seconds) {
  Duration life = kLongest;
  if (seconds != 0) {
    const auto longest = std::chrono::duration_cast<std::chrono::seconds>(kLongest).count();
    life = std::chrono::seconds(std::min<std::int64_t>(seconds, longest));
    life = std::max(life, kShortest);
  }
  return {.begins = now - kBackdate, .ends = now + (life < kShort ? life : life - kBackdate)};
}

}  // namespace millwright::apiserver
