// The conditions in the status of a CustomResourceDefinition.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/time.h"

namespace millwright::apiserver {

struct CrdCondition {
  std::string type;
  std::string status;
  std::string reason;
  std::string message;

  friend bool operator==(const CrdCondition&, const CrdCondition&) = default;
};

// Null if it has none of that type.
const boost::json::value* FindCondition(const boost::json::value& crd, std::string_view type);
bool IsConditionTrue(const boost::json::value& crd, std::string_view type);
bool HasCondition(const boost::json::value& crd, const CrdCondition& condition);

// In place of the one of the same type, else behind the others. The time of transition changes only
// with the status.
void SetCondition(boost::json::value& crd, const CrdCondition& condition, WallTime now);
void RemoveCondition(boost::json::value& crd, std::string_view type);

// The member status, made if it is missing.
boost::json::object& StatusOfCrd(boost::json::value& crd);

}  // namespace millwright::apiserver
