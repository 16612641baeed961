// The words of a CertificateSigningRequest for what a key may be used for, and X.509's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace millwright::apiserver {

struct KeyUsageBit {
  std::uint32_t bit;  // as OpenSSL's KU_...
};
struct ExtendedKeyUsage {
  int nid;
};
using KeyUsageMeaning = std::variant<KeyUsageBit, ExtendedKeyUsage>;

// None for a word that has no meaning in X.509.
std::optional<KeyUsageMeaning> MeaningOfUsage(std::string_view word);

}  // namespace millwright::apiserver
