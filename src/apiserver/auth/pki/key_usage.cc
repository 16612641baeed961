#include "apiserver/auth/pki/key_usage.h"

#include <openssl/obj_mac.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <utility>

namespace millwright::apiserver {

std::optional<KeyUsageMeaning> MeaningOfUsage(std::string_view word) {
  using Row = std::pair<std::string_view, KeyUsageMeaning>;
  static constexpr auto kRows = std::to_array<Row>({
      {"signing", KeyUsageBit{KU_DIGITAL_SIGNATURE}},
      {"digital signature", KeyUsageBit{KU_DIGITAL_SIGNATURE}},
      {"content commitment", KeyUsageBit{KU_NON_REPUDIATION}},
      {"key encipherment", KeyUsageBit{KU_KEY_ENCIPHERMENT}},
      {"key agreement", KeyUsageBit{KU_KEY_AGREEMENT}},
      {"data encipherment", KeyUsageBit{KU_DATA_ENCIPHERMENT}},
      {"cert sign", KeyUsageBit{KU_KEY_CERT_SIGN}},
      {"crl sign", KeyUsageBit{KU_CRL_SIGN}},
      {"encipher only", KeyUsageBit{KU_ENCIPHER_ONLY}},
      {"decipher only", KeyUsageBit{KU_DECIPHER_ONLY}},
      {"any", ExtendedKeyUsage{NID_anyExtendedKeyUsage}},
      {"server auth", ExtendedKeyUsage{NID_server_auth}},
      {"client auth", ExtendedKeyUsage{NID_client_auth}},
      {"code signing", ExtendedKeyUsage{NID_code_sign}},
      {"email protection", ExtendedKeyUsage{NID_email_protect}},
      {"s/mime", ExtendedKeyUsage{NID_email_protect}},
      {"ipsec end system", ExtendedKeyUsage{NID_ipsecEndSystem}},
      {"ipsec tunnel", ExtendedKeyUsage{NID_ipsecTunnel}},
      {"ipsec user", ExtendedKeyUsage{NID_ipsecUser}},
      {"timestamping", ExtendedKeyUsage{NID_time_stamp}},
      {"ocsp signing", ExtendedKeyUsage{NID_OCSP_sign}},
      {"microsoft sgc", ExtendedKeyUsage{NID_ms_sgc}},
      {"netscape sgc", ExtendedKeyUsage{NID_ns_sgc}},
  });
  const auto* row = std::ranges::find(kRows, word, &Row::first);
  if (row == kRows.end()) return std::nullopt;
  return row->second;
}

}  // namespace millwright::apiserver
