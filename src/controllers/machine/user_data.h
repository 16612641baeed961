// What a new instance is told: the text of its class with its own name and token in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/secret.h"

namespace millwright::controllers {

struct UserDataValues {
  std::string machine;
  std::optional<SecretText> token;  // none: there is no cluster to join, its place stays
};

// Replaces <<MACHINE_NAME>> and <<BOOTSTRAP_TOKEN>> everywhere. Where one does not occur, its form
// in URLs (%3C%3C...%3E%3E) is replaced instead.
SecretText FillUserData(const SecretText& text, const UserDataValues& values);

}  // namespace millwright::controllers
