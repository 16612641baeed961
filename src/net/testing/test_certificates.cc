#include "net/testing/test_certificates.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace millwright::net {

namespace {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using Bio = std::unique_ptr<BIO, Deleter<BIO_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;

void Require(bool ok) {
  if (!ok) throw std::runtime_error("OpenSSL cannot make a test certificate");
}

Key NewKey() {
  Key key(EVP_EC_gen("P-256"));
  Require(key != nullptr);
  return key;
}

template <class Write>
std::string Pem(const Write& write) {
  const Bio bio(BIO_new(BIO_s_mem()));
  Require(write(bio.get()) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string PemOf(X509* certificate) {
  return Pem([&](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

std::string PemOf(EVP_PKEY* key) {
  return Pem([&](BIO* bio) {
    return PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

void AddName(X509_NAME* name, const char* field, const std::string& value) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(value.c_str());
  Require(X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, bytes, -1, -1, 0) == 1);
}

void AddExtension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  Require(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

std::time_t Seconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::string AlternativeNames(const TestAuthority::Request& request) {
  std::string names;
  for (const auto& name : request.dns_names) names += ",DNS:" + name;
  for (const auto& address : request.addresses) names += ",IP:" + address;
  return names.empty() ? names : names.substr(1);
}

// Everything but the signature.
Certificate Draft(const TestAuthority::Request& request, EVP_PKEY* key, long serial) {
  Certificate certificate(X509_new());
  Require(certificate != nullptr);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
  ASN1_TIME_set(X509_getm_notBefore(certificate.get()), Seconds(request.begins));
  ASN1_TIME_set(X509_getm_notAfter(certificate.get()), Seconds(request.ends));
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  for (const auto& organization : request.organizations) AddName(subject, "O", organization);
  AddName(subject, "CN", request.common_name);
  Require(X509_set_pubkey(certificate.get(), key) == 1);
  return certificate;
}

}  // namespace

struct TestAuthority::Keys {
  Key key;
  Certificate certificate;
};

TestAuthority::TestAuthority(const std::string& name) : keys_(std::make_unique<Keys>()) {
  Request request;
  request.common_name = name;
  keys_->key = NewKey();
  keys_->certificate = Draft(request, keys_->key.get(), 1);
  X509* certificate = keys_->certificate.get();
  X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
  AddExtension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(certificate, certificate, NID_key_usage, "critical,keyCertSign,digitalSignature");
  AddExtension(certificate, certificate, NID_subject_key_identifier, "hash");
  Require(X509_sign(certificate, keys_->key.get(), EVP_sha256()) > 0);
  ca_pem_ = PemOf(certificate);
}

TestAuthority::~TestAuthority() = default;
TestAuthority::TestAuthority(TestAuthority&&) noexcept = default;
TestAuthority& TestAuthority::operator=(TestAuthority&&) noexcept = default;

TestIdentity TestAuthority::Issue(const Request& request) {
  const Key key = NewKey();
  const Certificate certificate = Draft(request, key.get(), next_serial_++);
  X509* issuer = keys_->certificate.get();
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer));
  const std::string names = AlternativeNames(request);
  if (!names.empty()) AddExtension(certificate.get(), issuer, NID_subject_alt_name, names);
  AddExtension(certificate.get(), issuer, NID_ext_key_usage, "serverAuth,clientAuth");
  Require(X509_sign(certificate.get(), keys_->key.get(), EVP_sha256()) > 0);
  return {.cert_pem = PemOf(certificate.get()), .key_pem = SecretText(PemOf(key.get()))};
}

TestIdentity TestAuthority::IssueServer() {
  Request request;
  request.common_name = "test-server";
  request.dns_names = {"localhost"};
  request.addresses = {"127.0.0.1"};
  return Issue(request);
}

TestIdentity TestAuthority::IssueClient(const std::string& name) {
  Request request;
  request.common_name = name;
  return Issue(request);
}

}  // namespace millwright::net
