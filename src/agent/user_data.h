// What a local machine is told at its birth: where its cluster is and how to come in. Pure.
//
//   server: https://10.0.0.1:6443
//   caData: LS0t...            # or caFile: /path; neither: the system's authorities
//   token: abcdef.0123456789abcdef
//   nodeName: worker-1         # optional, and so are:
//   labels: {pool: a}
//   taints: [{key: k, value: v, effect: NoSchedule}]
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"

namespace millwright::agent {

struct Taint {
  std::string key;
  std::string value = {};
  std::string effect;

  friend bool operator==(const Taint&, const Taint&) = default;
};

struct UserData {
  std::string server = {};
  std::string ca_pem = {};
  SecretText token = {};
  std::string node_name = {};
  std::map<std::string, std::string> labels = {};
  std::vector<Taint> taints = {};
};

using ReadFile = std::function<Result<std::string>(const std::string& path)>;

// YAML or JSON. kInvalid, naming the field and never a value: one of them is a token.
Result<UserData> ParseUserData(std::string_view text, const ReadFile& read_file);

}  // namespace millwright::agent
