// Server-side apply: merging what a writer wants into an object, and keeping the books of who owns
// what.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "base/time.h"
#include "kube/api/field_set.h"
#include "kube/api/schema.h"

namespace millwright::kube {

// How the fields of a kind are owned.
struct OwnershipRules {
  // Null when the kind has no schema: maps then merge and lists are replaced as a whole. Has to
  // outlive the rules. All versions of a kind are taken to have the same fields.
  const Schema* schema = nullptr;
  // What this endpoint does not write, whatever is sent, and so nobody can own through it.
  FieldSet reset_fields;
  // What an object has before anybody writes it, which its creator does not come to own: the zero
  // values that a built-in kind always shows.
  boost::json::value blank = boost::json::object();
};

// Of the main resource: the status, when it has an endpoint of its own.
OwnershipRules MainRules(const Schema* schema, bool has_status_endpoint);
// Of the endpoint /status: everything else.
OwnershipRules StatusRules(const Schema* schema);

// Who writes, through what, and when.
struct FieldWriter {
  std::string manager;      // the fieldManager of the request; "unknown" if empty
  std::string api_version;  // "apps/v1"
  std::string subresource;  // "status"; "" is the main resource
  WallTime time{};          // none is written down if it is zero
};

// A field that somebody else owns and that an apply would have changed.
struct ApplyConflict {
  std::string owner;  // "kubectl" using apps/v1
  std::string field;  // .spec.replicas

  // The message of the Status cause, whose reason is FieldManagerConflict.
  std::string Message() const { return "conflict with " + owner; }

  friend bool operator==(const ApplyConflict&, const ApplyConflict&) = default;
};

// Carried by the kConflict error of Apply.
class ApplyConflicts final : public ErrorDetail {
 public:
  explicit ApplyConflicts(std::vector<ApplyConflict> conflicts)
      : conflicts_(std::move(conflicts)) {}
  const std::vector<ApplyConflict>& conflicts() const { return conflicts_; }

 private:
  std::vector<ApplyConflict> conflicts_;
};

enum class Force { kNo, kYes };

// Applies a configuration to the live object (null: there is none yet) and gives the new object
// with its new managedFields. Fields that the writer applied before and does not apply now are
// removed, unless somebody else owns them too. Applying the same again changes nothing, not even a
// time stamp.
//
// Fails with kConflict, an ApplyConflicts detail, and a message like that of a kube-apiserver when
// the configuration would change fields of other owners and is not forced. Fails with kInvalid when
// the configuration does not fit the schema, is of another version, or carries managedFields
// itself.
//
// The result is not pruned, defaulted or validated.
Result<boost::json::value> Apply(const OwnershipRules& rules, const boost::json::value* live,
                                 const boost::json::value& configuration, const FieldWriter& writer,
                                 Force force = Force::kNo);

// Brings the managedFields of an object that is about to be created (no live object), updated or
// patched up to date: the writer gets what it changed or added, everybody loses what is gone.
// `object` is what will be stored; managedFields in it that can be read are taken as a wish to edit
// them, except through a subresource; [] and [{}] reset them. An object whose books are empty is
// not kept book of again until somebody applies.
//
// On failure (the object does not fit the schema) the object is left without managedFields.
Result<void> UpdateManagedFields(const OwnershipRules& rules, const boost::json::value* live,
                                 boost::json::value& object, const FieldWriter& writer);

}  // namespace millwright::kube
