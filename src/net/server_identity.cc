#include "net/server_identity.h"

#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>
#include <string_view>

namespace millwright::net {

namespace {

// Keeps embedded zero bytes, so that "admin\0.example" is not "admin" to whoever compares.
std::string Utf8(const ASN1_STRING* text) {
  unsigned char* bytes = nullptr;
  const int length = ASN1_STRING_to_UTF8(&bytes, text);
  if (length < 0) return {};
  std::string utf8(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
  OPENSSL_free(bytes);
  return utf8;
}

std::vector<std::string> NamesOfKind(const X509_NAME* subject, int kind) {
  std::vector<std::string> names;
  int index = -1;
  while ((index = X509_NAME_get_index_by_NID(subject, kind, index)) >= 0) {
    names.push_back(Utf8(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index))));
  }
  return names;
}

std::string Raw(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string IpText(const ASN1_STRING* address) {
  const int family = ASN1_STRING_length(address) == 4 ? AF_INET : AF_INET6;
  if (family == AF_INET6 && ASN1_STRING_length(address) != 16) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(family, ASN1_STRING_get0_data(address), text.data(), text.size());
  return text.data();
}

void AddAlternativeName(const GENERAL_NAME& name, PeerIdentity& peer) {
  switch (name.type) {
    case GEN_DNS: peer.dns_names.push_back(Raw(name.d.dNSName)); return;
    case GEN_URI: peer.uris.push_back(Raw(name.d.uniformResourceIdentifier)); return;
    case GEN_EMAIL: peer.emails.push_back(Raw(name.d.rfc822Name)); return;
    case GEN_IPADD: peer.ip_addresses.push_back(IpText(name.d.iPAddress)); return;
    default: return;  // kinds that nobody here asks for
  }
}

std::string FingerprintOf(const X509& certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int size = 0;
  if (X509_digest(&certificate, EVP_sha256(), hash.data(), &size) != 1) return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[hash[i] >> 4U];
    text += kDigits[hash[i] & 15U];
  }
  return text;
}

}  // namespace

PeerIdentity NamesIn(const X509& certificate) {
  PeerIdentity peer;
  const X509_NAME* subject = X509_get_subject_name(&certificate);
  auto common_names = NamesOfKind(subject, NID_commonName);
  // Go, and so kube-apiserver, takes the last one.
  if (!common_names.empty()) peer.common_name = std::move(common_names.back());
  peer.organizations = NamesOfKind(subject, NID_organizationName);

  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> names(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)),
      &GENERAL_NAMES_free);
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    AddAlternativeName(*sk_GENERAL_NAME_value(names.get(), i), peer);
  }
  return peer;
}

PeerIdentity IdentityOf(const SSL* connection) {
  const X509* certificate = SSL_get0_peer_certificate(connection);
  if (certificate == nullptr || SSL_get_verify_result(connection) != X509_V_OK) return {};
  PeerIdentity peer = NamesIn(*certificate);
  peer.verified = true;
  peer.fingerprint = FingerprintOf(*certificate);
  return peer;
}

}  // namespace millwright::net
