#include "net/tls_config.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <ctime>
#include <memory>
#include <string_view>
#include <utility>

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

Failure Invalid(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

Bio Reader(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Without this, OpenSSL would ask for the password of an encrypted key on the terminal.
int NoPassword(char*, int, int, void*) { return -1; }

// Reads one certificate; none at the end of the text.
Result<Certificate> NextCertificate(BIO* text, std::string_view what) {
  ERR_clear_error();
  Certificate certificate(PEM_read_bio_X509(text, nullptr, NoPassword, nullptr));
  if (certificate) return certificate;
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  const bool at_end =
      ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
  if (!at_end) return Invalid(std::string(what) + ": damaged PEM certificate");
  return Certificate();
}

Result<void> CheckAuthorities(const std::string& pem) {
  const Bio text = Reader(pem);
  TRY(auto certificate, NextCertificate(text.get(), "certificate authority"));
  if (!certificate) return Invalid("certificate authority: there is no PEM certificate in it");
  while (certificate) {
    TRY(certificate, NextCertificate(text.get(), "certificate authority"));
  }
  return Ok();
}

Result<Key> ReadKey(const SecretText& pem) {
  ERR_clear_error();
  Key key(PEM_read_bio_PrivateKey(Reader(pem.Reveal()).get(), nullptr, NoPassword, nullptr));
  ERR_clear_error();
  if (key) return key;
  if (pem.Reveal().contains("ENCRYPTED")) {
    return Invalid("client key: it is encrypted; give it without a password");
  }
  return Invalid("client key: it is not a PEM private key");
}

WallTime TimeOf(const ASN1_TIME* time) {
  std::tm parts{};
  ASN1_TIME_to_tm(time, &parts);
  return WallTime(std::chrono::seconds(timegm(&parts)));
}

Result<void> CheckClient(const TlsConfig& config, WallTime now) {
  if (config.client_cert_pem.empty()) return Invalid("client key: its certificate is missing");
  if (config.client_key_pem.empty()) return Invalid("client certificate: its key is missing");

  const Bio text = Reader(config.client_cert_pem);
  TRY(const auto certificate, NextCertificate(text.get(), "client certificate"));
  if (!certificate) return Invalid("client certificate: there is no PEM certificate in it");
  TRY(const auto key, ReadKey(config.client_key_pem));

  const bool match = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!match) return Invalid("client key: it does not belong to the client certificate");

  const WallTime ends = TimeOf(X509_get0_notAfter(certificate.get()));
  if (now > ends) {
    return Fail(ErrorKind::kUnauthenticated,
                "client certificate: it expired at " + FormatTime(ends));
  }
  const WallTime begins = TimeOf(X509_get0_notBefore(certificate.get()));
  if (now < begins) {
    return Fail(ErrorKind::kUnauthenticated,
                "client certificate: it is not valid before " + FormatTime(begins));
  }
  return Ok();
}

}  // namespace

Result<void> CheckTlsConfig(const TlsConfig& config, WallTime now) {
  if (config.insecure_skip_verify && !config.ca_pem.empty()) {
    return Invalid("certificate authority: it would not be asked, as verification is turned off");
  }
  if (!config.ca_pem.empty()) CHECK_OK(CheckAuthorities(config.ca_pem));
  const bool has_client = !config.client_cert_pem.empty() || !config.client_key_pem.empty();
  if (has_client) CHECK_OK(CheckClient(config, now));
  return Ok();
}

}  // namespace millwright::net
