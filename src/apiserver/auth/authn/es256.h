// Signatures by ECDSA on P-256 with SHA-256, in the form of JSON Web Signatures.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/auth/pki/private_key.h"

namespace millwright::apiserver {

// 64 bytes: both numbers, each in 32.
std::string SignEs256(std::string_view text, const PrivateKey& key);
bool VerifyEs256(std::string_view text, std::string_view signature, const PrivateKey& key);

std::string Sha256(std::string_view bytes);

}  // namespace millwright::apiserver
