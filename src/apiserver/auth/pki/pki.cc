#include "apiserver/auth/pki/pki.h"

#include <openssl/err.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "apiserver/auth/pki/pki_parts.h"
#include "net/server_identity.h"

namespace millwright::apiserver {

namespace {

// For clients whose clock is behind ours.
constexpr Duration kBackdate = std::chrono::minutes(5);

bool IsAddress(const std::string& text) {
  ASN1_OCTET_STRING* bytes = a2i_IPADDRESS(text.c_str());
  ASN1_OCTET_STRING_free(bytes);
  ERR_clear_error();
  return bytes != nullptr;
}

void AddIfNew(std::vector<std::string>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

}  // namespace

AlternativeNames ServerNames(std::string_view host_name, std::string_view listen_host) {
  AlternativeNames names{
      .dns_names = {"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc",
                    "kubernetes.default.svc.cluster.local"},
      .ip_addresses = {"127.0.0.1", "::1"}};
  if (!host_name.empty()) AddIfNew(names.dns_names, host_name);
  if (listen_host.empty() || listen_host == "0.0.0.0" || listen_host == "::") return names;
  const bool address = IsAddress(std::string(listen_host));
  AddIfNew(address ? names.ip_addresses : names.dns_names, listen_host);
  return names;
}

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  return name.data();
}

CertificatePlan AuthorityPlan(WallTime now) {
  return {.common_name = "millwright-ca",
          .usages = {"digital signature", "key encipherment", "cert sign"},
          .authority = true,
          .begins = now - kBackdate,
          .ends = now + kAuthorityLife};
}

CertificatePlan ServerPlan(const AlternativeNames& names, WallTime now) {
  return {.common_name = "millwright-apiserver",
          .names = names,
          .usages = {"digital signature", "key encipherment", "server auth"},
          .begins = now - kBackdate,
          .ends = now + kIdentityLife};
}

CertificatePlan AdminPlan(WallTime now) {
  return {.common_name = "millwright-admin",
          .organizations = {"system:masters"},
          .usages = {"digital signature", "key encipherment", "client auth"},
          .begins = now - kBackdate,
          .ends = now + kIdentityLife};
}

Identity IssueIdentity(const CertificatePlan& plan, const Authority& authority, Random& random) {
  const PrivateKey key = PrivateKey::Generate();
  return {.certificate = IssueCertificate(plan, key.get(), authority, random).Pem(),
          .key = key.Pem()};
}

bool Fulfils(const Identity& identity, const CertificatePlan& plan, const Authority& authority,
             WallTime now) {
  const auto certificate = Certificate::Parse(identity.certificate);
  const auto key = PrivateKey::Parse(identity.key.Reveal());
  if (!certificate || !key || !certificate->BelongsTo(*key)) return false;
  if (!certificate->IsSignedBy(authority.certificate)) return false;
  if (certificate->begins() > now || certificate->ends() - now < kRenewBefore) return false;
  const net::PeerIdentity names = net::NamesIn(*certificate->get());
  return names.common_name == plan.common_name && names.organizations == plan.organizations &&
         names.dns_names == plan.names.dns_names && names.ip_addresses == plan.names.ip_addresses;
}

WallTime RenewalOf(const Pki& pki) {
  WallTime earliest = WallTime::max();
  for (const Identity* identity : {&pki.server, &pki.admin}) {
    const auto certificate = Certificate::Parse(identity->certificate);
    if (certificate) earliest = std::min(earliest, certificate->ends() - kRenewBefore);
  }
  return earliest;
}

Pki MakePki(const AlternativeNames& server_names, WallTime now, Random& random) {
  const PrivateKey key = PrivateKey::Generate();
  const Authority authority{.certificate = MakeAuthority(AuthorityPlan(now), key, random),
                            .key = key};
  Pki pki{.ca = {.certificate = authority.certificate.Pem(), .key = key.Pem()},
          .server = IssueIdentity(ServerPlan(server_names, now), authority, random),
          .admin = IssueIdentity(AdminPlan(now), authority, random),
          .token_key = PrivateKey::Generate().Pem()};
  pki.renew_at = RenewalOf(pki);
  return pki;
}

}  // namespace millwright::apiserver
