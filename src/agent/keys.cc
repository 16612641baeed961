#include "agent/keys.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <ctime>
#include <memory>
#include <stdexcept>

namespace millwright::agent {

namespace {

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Bio = std::unique_ptr<BIO, Free<BIO_free_all>>;
using Request = std::unique_ptr<X509_REQ, Free<X509_REQ_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;

// Failures of what cannot fail but for want of memory.
void Require(bool ok, const char* doing) {
  if (ok) return;
  ERR_clear_error();
  throw std::runtime_error(std::string("OpenSSL: ") + doing);
}

template <class Write>
std::string Pem(const Write& write) {
  const Bio bio(BIO_new(BIO_s_secmem()));
  Require(bio != nullptr && write(bio.get()) == 1, "writing PEM");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

Bio Over(std::string_view text) {
  Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  Require(bio != nullptr, "reading PEM");
  return bio;
}

// Instead of a question at the terminal.
int NoPassword(char*, int, int, void*) { return -1; }

Result<Key> ParseKey(const SecretText& pem) {
  Key key(PEM_read_bio_PrivateKey(Over(pem.Reveal()).get(), nullptr, NoPassword, nullptr));
  ERR_clear_error();
  if (key == nullptr) return Fail(ErrorKind::kInvalid, "the node's key is not a private key");
  return key;
}

Result<WallTime> TimeOf(const ASN1_TIME* time) {
  std::tm parts{};
  const bool is_time = ASN1_TIME_to_tm(time, &parts) == 1;
  ERR_clear_error();
  if (!is_time) return Fail(ErrorKind::kInvalid, "a time in the node's certificate is none");
  return WallTime(std::chrono::seconds(::timegm(&parts)));
}

// From the public key and the node's name.
std::string NameFor(EVP_PKEY* key, const std::string& node) {
  unsigned char* bytes = nullptr;
  const int size = i2d_PUBKEY(key, &bytes);
  Require(size > 0, "writing a public key");
  std::string text(reinterpret_cast<char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  text += node;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  Require(EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) == 1,
          "digesting");
  std::string name = "node-csr-";
  constexpr std::size_t kEnough = 20;
  for (std::size_t i = 0; i < kEnough; ++i) {
    constexpr const char* kDigits = "0123456789abcdef";
    name += kDigits[digest.at(i) / 16];
    name += kDigits[digest.at(i) % 16];
  }
  return name;
}

}  // namespace

SecretText MakePrivateKey() {
  const Key key(EVP_EC_gen("P-256"));
  Require(key != nullptr, "making a key");
  return SecretText(Pem([&](BIO* bio) {
    return PEM_write_bio_PKCS8PrivateKey(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  }));
}

Result<SigningRequest> MakeSigningRequest(const SecretText& key_pem, const std::string& node) {
  TRY(const Key key, ParseKey(key_pem));
  const Request request(X509_REQ_new());
  Require(request != nullptr, "making a request");
  X509_NAME* subject = X509_REQ_get_subject_name(request.get());
  const auto add = [&](const char* field, const std::string& value) {
    return X509_NAME_add_entry_by_txt(subject, field, MBSTRING_UTF8,
                                      reinterpret_cast<const unsigned char*>(value.c_str()), -1, -1,
                                      0) == 1;
  };
  Require(X509_REQ_set_version(request.get(), X509_REQ_VERSION_1) == 1, "making a request");
  if (!add("O", "system:nodes") || !add("CN", "system:node:" + node)) {
    ERR_clear_error();
    return Fail(ErrorKind::kInvalid, "the name " + node + " does not fit into a certificate");
  }
  Require(X509_REQ_set_pubkey(request.get(), key.get()) == 1 &&
              X509_REQ_sign(request.get(), key.get(), EVP_sha256()) > 0,
          "signing a request");
  return SigningRequest{
      .name = NameFor(key.get(), node),
      .pem = Pem([&](BIO* bio) { return PEM_write_bio_X509_REQ(bio, request.get()); })};
}

Result<Validity> ValidityOf(std::string_view certificate_pem, const SecretText& key_pem) {
  TRY(const Key key, ParseKey(key_pem));
  const Certificate certificate(
      PEM_read_bio_X509(Over(certificate_pem).get(), nullptr, NoPassword, nullptr));
  const bool fits =
      certificate != nullptr && X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!fits) return Fail(ErrorKind::kInvalid, "there is no certificate for the node's key");
  TRY(const WallTime begins, TimeOf(X509_get0_notBefore(certificate.get())));
  TRY(const WallTime ends, TimeOf(X509_get0_notAfter(certificate.get())));
  return Validity{.begins = begins, .ends = ends};
}

WallTime RenewalOf(const Validity& validity) {
  return validity.ends - (validity.ends - validity.begins) / 5;
}

}  // namespace millwright::agent
