// Who may do what.
#pragma once

#include <string>

#include "apiserver/auth/authz/attributes.h"
#include "apiserver/rest/admission.h"
#include "apiserver/store/store.h"

namespace millwright::apiserver {

struct Decision {
  bool allowed = false;
  std::string reason = {};
};

class Authorizer {
 public:
  // The store must outlive it.
  explicit Authorizer(Store& store);

  // By what the store holds at this moment.
  Decision Authorize(const User& user, const Attributes& attributes);

  // The same as a result: 403 if it is refused.
  Result<void> Check(const User& user, const Attributes& attributes);

 private:
  Store& store_;
};

}  // namespace millwright::apiserver
