// Which of the names that a CustomResourceDefinition wishes for it can have. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/crd/conditions.h"

namespace millwright::apiserver {

// What the definitions of a group use already.
struct TakenNames {
  std::set<std::string, std::less<>> resources;  // plural, singular and short names
  std::set<std::string, std::less<>> kinds;      // kinds and kinds of lists

  // Adds what the status of a definition says that it got.
  void Add(const boost::json::value& crd);
};

struct NamesOutcome {
  boost::json::object accepted;  // status.acceptedNames
  CrdCondition names_accepted;
  CrdCondition established;
};

// None if all names were accepted before and nothing else is wished now. A name that another
// definition has is refused, and the name before is kept.
std::optional<NamesOutcome> DecideNames(const boost::json::value& crd, const TakenNames& taken);

}  // namespace millwright::apiserver
