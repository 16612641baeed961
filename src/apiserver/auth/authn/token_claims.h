// What the token of a service account says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "base/time.h"

namespace millwright::apiserver {

// An object by name, and by uid so that a later one of that name is not it.
struct ObjectReference {
  std::string name;
  std::string uid;

  friend bool operator==(const ObjectReference&, const ObjectReference&) = default;
};

struct TokenClaims {
  std::string issuer;
  std::vector<std::string> audiences;
  std::string id;
  WallTime issued{};
  WallTime begins{};
  WallTime ends{};
  std::string namespace_;
  ObjectReference account;
  // The object that it ends with. A pod's token also says where the pod runs.
  std::optional<ObjectReference> pod = {};
  std::optional<ObjectReference> secret = {};
  std::optional<ObjectReference> node = {};
  // When whoever uses it should have got a new one, if that is before its end.
  std::optional<WallTime> warn_after = {};

  friend bool operator==(const TokenClaims&, const TokenClaims&) = default;
};

boost::json::object WriteClaims(const TokenClaims& claims);
// kInvalid if it is no token of a service account.
Result<TokenClaims> ReadClaims(const boost::json::value& claims);

// By the clock, with a minute's grace for those that differ. kInvalid, in Kubernetes' words.
Result<void> CheckTime(const TokenClaims& claims, WallTime now);

}  // namespace millwright::apiserver
