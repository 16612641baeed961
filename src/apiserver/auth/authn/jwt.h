// JSON Web Tokens signed with ES256: taking apart, signing, verifying.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/auth/pki/private_key.h"
#include "base/result.h"

namespace millwright::apiserver {

// A token taken apart. Nothing in it may be believed before its signature was verified.
struct Jwt {
  boost::json::value header;
  boost::json::value claims;
  std::string signed_part;  // what the signature is about
  std::string signature;
};

// kInvalid if the text is not three parts of base64 with two JSON objects; never shows the text.
Result<Jwt> ParseJwt(std::string_view token);

std::string SignJwt(const boost::json::object& claims, const PrivateKey& key);

// It is signed by that key, and says so: no other algorithm, no other key, nothing critical that we
// do not know.
bool IsSignedBy(const Jwt& token, const PrivateKey& key);

// As Kubernetes names keys: the hash of the public half.
std::string KeyIdOf(const PrivateKey& key);

}  // namespace millwright::apiserver
