// Which kinds a server has, asked once per group and version.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kube/client/client.h"

namespace millwright::kube {

struct ApiResource {
  std::string resource;  // plural
  std::string kind;
  bool namespaced = false;
  std::vector<std::string> verbs;
  std::vector<std::string> short_names;

  friend bool operator==(const ApiResource&, const ApiResource&) = default;
};

// The kinds in an APIResourceList; subresources are left out.
Result<std::vector<ApiResource>> ParseResourceList(std::string_view text);

class Discovery {
 public:
  explicit Discovery(Client& client) : client_(client) {}

  // None: this server has no such kind. Answers are kept until Forget.
  Task<Result<std::optional<ApiResource>>> Find(GroupVersionResource resource);

  // After a CRD came or went.
  void Forget() { known_.clear(); }

 private:
  Client& client_;
  std::map<std::string, std::vector<ApiResource>> known_;  // by "group/version"
};

}  // namespace millwright::kube
