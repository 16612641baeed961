#include "apiserver/auth/pki/certificate.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <utility>

#include "apiserver/auth/pki/key_usage.h"

namespace millwright::apiserver {

namespace {

std::time_t Seconds(WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

WallTime TimeOf(const ASN1_TIME* text) {
  std::tm calendar{};
  RequireOpenssl(ASN1_TIME_to_tm(text, &calendar) == 1, "reading a certificate's time");
  return WallTime(std::chrono::seconds(timegm(&calendar)));
}

void AddName(X509_NAME* name, int kind, const std::string& value) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(value.data());
  RequireOpenssl(X509_NAME_add_entry_by_NID(name, kind, MBSTRING_UTF8, bytes,
                                            static_cast<int>(value.size()), -1, 0) == 1,
                 "naming a certificate's subject");
}

void AddExtension(X509* certificate, int kind, void* value, bool critical) {
  RequireOpenssl(X509_add1_ext_i2d(certificate, kind, value, critical ? 1 : 0, 0) == 1,
                 "adding an extension to a certificate");
}

// For the kinds whose value OpenSSL computes from the certificates.
void AddComputedExtension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  using Owned = std::unique_ptr<X509_EXTENSION, OpensslFree<X509_EXTENSION_free>>;
  const Owned extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
  RequireOpenssl(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1,
                 "adding an extension to a certificate");
}

void Push(GENERAL_NAMES* names, int type, ASN1_STRING* value) {
  GENERAL_NAME* name = GENERAL_NAME_new();
  RequireOpenssl(name != nullptr && value != nullptr, "naming a certificate's holder");
  GENERAL_NAME_set0_value(name, type, value);
  RequireOpenssl(sk_GENERAL_NAME_push(names, name) > 0, "naming a certificate's holder");
}

void AddAlternativeNames(X509* certificate, const AlternativeNames& wanted) {
  const OwnedNames names(GENERAL_NAMES_new());
  RequireOpenssl(names != nullptr, "naming a certificate's holder");
  const auto add_texts = [&](int type, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      ASN1_STRING* value = ASN1_IA5STRING_new();
      ASN1_STRING_set(value, text.data(), static_cast<int>(text.size()));
      Push(names.get(), type, value);
    }
  };
  add_texts(GEN_DNS, wanted.dns_names);
  add_texts(GEN_EMAIL, wanted.emails);
  for (const std::string& address : wanted.ip_addresses) {
    ASN1_OCTET_STRING* bytes = a2i_IPADDRESS(address.c_str());
    if (bytes != nullptr) Push(names.get(), GEN_IPADD, bytes);
  }
  add_texts(GEN_URI, wanted.uris);
  ERR_clear_error();
  if (sk_GENERAL_NAME_num(names.get()) == 0) return;
  AddExtension(certificate, NID_subject_alt_name, names.get(), false);
}

// The bits in X.509's order: the first is the highest of the first byte.
void AddKeyUsage(X509* certificate, std::uint32_t usage) {
  if (usage == 0) return;
  using Owned = std::unique_ptr<ASN1_BIT_STRING, OpensslFree<ASN1_BIT_STRING_free>>;
  const Owned bits(ASN1_BIT_STRING_new());
  for (int i = 0; i < 16; ++i) {
    const std::uint32_t mask = i < 8 ? 0x80U >> i : 0x8000U >> (i - 8);
    if ((usage & mask) != 0) ASN1_BIT_STRING_set_bit(bits.get(), i, 1);
  }
  AddExtension(certificate, NID_key_usage, bits.get(), true);
}

void AddExtendedKeyUsage(X509* certificate, const std::vector<int>& purposes) {
  if (purposes.empty()) return;
  using Owned = std::unique_ptr<EXTENDED_KEY_USAGE, OpensslFree<EXTENDED_KEY_USAGE_free>>;
  const Owned usage(EXTENDED_KEY_USAGE_new());
  for (const int purpose : purposes) sk_ASN1_OBJECT_push(usage.get(), OBJ_nid2obj(purpose));
  AddExtension(certificate, NID_ext_key_usage, usage.get(), false);
}

void AddUsages(X509* certificate, const std::vector<std::string>& words) {
  std::uint32_t bits = 0;
  std::vector<int> purposes;
  for (const std::string& word : words) {
    const auto meaning = MeaningOfUsage(word);
    if (!meaning) continue;
    if (const auto* bit = std::get_if<KeyUsageBit>(&*meaning)) bits |= bit->bit;
    if (const auto* extended = std::get_if<ExtendedKeyUsage>(&*meaning)) {
      if (std::ranges::find(purposes, extended->nid) == purposes.end()) {
        purposes.push_back(extended->nid);
      }
    }
  }
  AddKeyUsage(certificate, bits);
  AddExtendedKeyUsage(certificate, purposes);
}

void AddBasicConstraints(X509* certificate, bool authority) {
  using Owned = std::unique_ptr<BASIC_CONSTRAINTS, OpensslFree<BASIC_CONSTRAINTS_free>>;
  const Owned constraints(BASIC_CONSTRAINTS_new());
  constraints->ca = authority ? 0xff : 0;
  AddExtension(certificate, NID_basic_constraints, constraints.get(), true);
}

// 127 bits: not to be guessed, and positive.
void SetSerial(X509* certificate, Random& random) {
  std::array<unsigned char, 16> bytes{};
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t draw = random.Next();
    for (int i = 0; i < 8; ++i) bytes[half * 8 + i] = static_cast<unsigned char>(draw >> (8 * i));
  }
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7fU) | 0x40U);
  using Owned = std::unique_ptr<BIGNUM, OpensslFree<BN_free>>;
  const Owned number(BN_bin2bn(bytes.data(), bytes.size(), nullptr));
  RequireOpenssl(BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr,
                 "numbering a certificate");
}

// Everything but the issuer and the signature.
OwnedX509 Draft(const CertificatePlan& plan, EVP_PKEY* public_key, Random& random) {
  OwnedX509 draft(X509_new());
  RequireOpenssl(draft != nullptr, "making a certificate");
  X509* certificate = draft.get();
  X509_set_version(certificate, X509_VERSION_3);
  SetSerial(certificate, random);
  ASN1_TIME_set(X509_getm_notBefore(certificate), Seconds(plan.begins));
  ASN1_TIME_set(X509_getm_notAfter(certificate), Seconds(plan.ends));
  X509_NAME* subject = X509_get_subject_name(certificate);
  for (const auto& name : plan.organizations) AddName(subject, NID_organizationName, name);
  if (!plan.common_name.empty()) AddName(subject, NID_commonName, plan.common_name);
  RequireOpenssl(X509_set_pubkey(certificate, public_key) == 1, "making a certificate");
  AddUsages(certificate, plan.usages);
  AddBasicConstraints(certificate, plan.authority);
  AddAlternativeNames(certificate, plan.names);
  return draft;
}

void Sign(X509* certificate, const PrivateKey& key) {
  RequireOpenssl(X509_sign(certificate, key.get(), EVP_sha256()) > 0, "signing a certificate");
}

}  // namespace

Result<Certificate> Certificate::Parse(std::string_view pem) {
  OwnedX509 certificate(PEM_read_bio_X509(BioOver(pem).get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (certificate == nullptr) {
    return Fail(ErrorKind::kInvalid, "there is no certificate in PEM form");
  }
  return Certificate(std::move(certificate));
}

std::string Certificate::Pem() const {
  return TextFromBio([this](BIO* bio) { return PEM_write_bio_X509(bio, get()); });
}

WallTime Certificate::begins() const { return TimeOf(X509_get0_notBefore(get())); }

WallTime Certificate::ends() const { return TimeOf(X509_get0_notAfter(get())); }

bool Certificate::BelongsTo(const PrivateKey& key) const {
  const bool belongs = X509_check_private_key(get(), key.get()) == 1;
  ERR_clear_error();
  return belongs;
}

bool Certificate::IsSignedBy(const Certificate& authority) const {
  const bool is_signed = X509_check_issued(authority.get(), get()) == X509_V_OK &&
                         X509_verify(get(), X509_get0_pubkey(authority.get())) == 1;
  ERR_clear_error();
  return is_signed;
}

Certificate MakeAuthority(const CertificatePlan& plan, const PrivateKey& key, Random& random) {
  OwnedX509 certificate = Draft(plan, key.get(), random);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get()));
  AddComputedExtension(certificate.get(), certificate.get(), NID_subject_key_identifier, "hash");
  Sign(certificate.get(), key);
  return Certificate(std::move(certificate));
}

Certificate IssueCertificate(const CertificatePlan& plan, EVP_PKEY* public_key,
                             const Authority& authority, Random& random) {
  CertificatePlan limited = plan;
  limited.ends = std::min(plan.ends, authority.certificate.ends());
  OwnedX509 certificate = Draft(limited, public_key, random);
  X509* issuer = authority.certificate.get();
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer));
  AddComputedExtension(certificate.get(), issuer, NID_authority_key_identifier, "keyid:always");
  Sign(certificate.get(), authority.key);
  return Certificate(std::move(certificate));
}

}  // namespace millwright::apiserver
