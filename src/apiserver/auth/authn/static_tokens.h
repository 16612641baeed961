// Tokens that an administrator wrote into a file, for programs that have nothing better.
#pragma once

#include <string_view>
#include <vector>

#include "apiserver/rest/admission.h"
#include "base/result.h"
#include "base/secret.h"

namespace millwright::apiserver {

struct StaticToken {
  SecretText token;
  User user;
};

// kube-apiserver's format, a line each: token,user,uid and, if there are any, "group1,group2" in
// quotes. Empty lines are passed over. Fails with kInvalid and the line's number, never its text.
Result<std::vector<StaticToken>> ParseStaticTokens(std::string_view text);

}  // namespace millwright::apiserver
