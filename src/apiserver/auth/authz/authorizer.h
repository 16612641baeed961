// Who may do what, by the roles and bindings in the store.
#pragma once

#include <optional>
#include <string_view>

#include "apiserver/auth/authz/access.h"
#include "apiserver/auth/authz/rbac_index.h"
#include "apiserver/rest/admission.h"
#include "apiserver/store/store.h"

namespace millwright::apiserver {

// Follows the store by reading what has changed whenever it is asked, so a binding counts from the
// moment its write is answered.
class Authorizer {
 public:
  // The store must outlive it.
  explicit Authorizer(Store& store) : store_(store) {}

  // Members of system:masters may do everything, nodes what AuthorizeNode allows.
  Decision Authorize(const User& user, const Access& access);

  // The same as a result: 403 if it is refused.
  Result<void> Check(const User& user, const Access& access);

  // All roles and bindings, up to date. To be used before anything else happens.
  const RbacIndex& index();

 private:
  void Reload();
  void Apply(const Record& record);

  Store& store_;
  RbacIndex index_;
  std::optional<Watcher> watcher_;
};

bool IsMaster(const User& user);

}  // namespace millwright::apiserver
