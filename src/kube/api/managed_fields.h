// metadata.managedFields: who owns which fields of an object.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"
#include "base/time.h"
#include "kube/api/field_set.h"

namespace millwright::kube {

enum class ManageOperation { kApply, kUpdate };

// One writer. The same program that applies and updates, or writes two subresources, is several.
struct ManagerId {
  std::string manager;
  ManageOperation operation = ManageOperation::kUpdate;
  // Only of updates: an applier remains the same when it goes on to another version.
  std::string api_version;
  std::string subresource;

  static ManagerId Applier(std::string manager, std::string subresource);
  static ManagerId Updater(std::string manager, std::string api_version, std::string subresource);

  // "kubectl" with subresource "status" using apps/v1
  std::string ToString() const;

  // The order in which a kube-apiserver names them: a subresource goes before the main resource.
  friend std::strong_ordering operator<=>(const ManagerId& a, const ManagerId& b);
  friend bool operator==(const ManagerId&, const ManagerId&) = default;
};

struct ManagedEntry {
  FieldSet fields;
  std::string api_version;       // in which the fields are meant
  std::optional<WallTime> time;  // of the last change, to the second

  friend bool operator==(const ManagedEntry&, const ManagedEntry&) = default;
};

using ManagedFields = std::map<ManagerId, ManagedEntry>;

// Reads the list. Of two entries of one writer the last one counts. Fails with kInvalid on anything
// that a server would not have written.
Result<ManagedFields> DecodeManagedFields(const boost::json::array& entries);

// Writes the list in the order of a kube-apiserver: appliers first, then by time and name.
boost::json::array EncodeManagedFields(const ManagedFields& managed);

// The list in an object; null if there is none.
const boost::json::array* FindManagedFields(const boost::json::value& object);

// Puts the list into an object, or takes it out when nobody owns anything.
void StoreManagedFields(const ManagedFields& managed, boost::json::value& object);

// A copy of the object without the list.
boost::json::value WithoutManagedFields(const boost::json::value& object);

// The most updaters that are kept apart. Past that the oldest ones are merged into
// "ancient-changes", or an object that many programs have touched once would grow without bound.
inline constexpr std::size_t kMaxUpdaters = 10;
void CapUpdaters(ManagedFields& managed, std::size_t limit = kMaxUpdaters);

}  // namespace millwright::kube
