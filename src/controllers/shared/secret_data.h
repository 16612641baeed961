// What a Secret holds.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "kube/client/document.h"

namespace millwright::controllers {

// Values are decoded; kInvalid names a key whose value is not base64.
Result<std::map<std::string, SecretText>> SecretData(const kube::Document& secret);

}  // namespace millwright::controllers
