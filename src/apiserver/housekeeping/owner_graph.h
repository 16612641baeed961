// Who owns whom, by UID. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

namespace millwright::apiserver {

// One entry of metadata.ownerReferences.
struct Owner {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool blocks = false;  // blockOwnerDeletion

  friend bool operator==(const Owner&, const Owner&) = default;
};

// Of the text of an object. Texts without owners, most of them, are not even parsed.
std::vector<Owner> OwnersOf(std::string_view text);

class OwnerGraph {
 public:
  // Puts what an object says about its owners in place of what it said before. True if it differs.
  bool Set(const std::string& key, std::vector<Owner> owners);
  void Forget(const std::string& key) { Set(key, {}); }

  // Keys of the objects that name this UID as an owner, in order.
  std::vector<std::string> Dependents(const std::string& uid) const;
  // Whether one of them keeps its owner from going first.
  bool IsBlocked(const std::string& uid) const;
  const std::vector<Owner>& OwnersAt(const std::string& key) const;

 private:
  std::map<std::string, std::set<std::string>> dependents_;  // by the owner's UID
  std::map<std::string, std::vector<Owner>> owners_;         // by the dependent's key
};

}  // namespace millwright::apiserver
