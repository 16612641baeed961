// What is said by whoever waits for an object of its own that cannot be read.
#pragma once

#include <string>

#include "base/result.h"
#include "kube/informer/unreadable.h"

namespace millwright::controllers {

// Only a person can mend it, and its change wakes us: kInvalid is looked at slowly.
inline Error CannotBeRead(const std::string& what, const kube::Unreadable& object) {
  return Error(ErrorKind::kInvalid,
               what + " " + object.meta.key.name +
                   " cannot be read, so nothing is made or removed here: " + object.reason);
}

}  // namespace millwright::controllers
