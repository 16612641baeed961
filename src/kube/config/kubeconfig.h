// Kubeconfig files: read, laid over each other, and brought down to one ClientConfig.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "base/secret.h"
#include "kube/config/client_config.h"

namespace millwright::kube {

// The stanzas keep what the file says; paths are already relative to where the file is, and `-data`
// fields are still base64, so that an error in one concerns only who uses it.
struct KubeconfigCluster {
  std::string server{};
  std::string tls_server_name{};
  bool insecure_skip_tls_verify = false;
  std::string certificate_authority{};
  std::string certificate_authority_data{};
  std::string proxy_url{};
  bool disable_compression = false;
  boost::json::value exec_config{};
};

struct KubeconfigUser {
  std::string client_certificate{};
  std::string client_certificate_data{};
  std::string client_key{};
  SecretText client_key_data{};
  SecretText token{};
  std::string token_file{};
  std::string username{};
  SecretText password{};
  Impersonation impersonation{};
  std::string auth_provider{};  // its name
  std::optional<ExecPlugin> exec{};
  std::string exec_interactive_mode{};  // as written
};

struct KubeconfigContext {
  std::string cluster{};
  std::string user{};
  std::string name_space{};
};

struct Kubeconfig {
  std::vector<std::string> files{};  // where it came from
  std::string current_context{};
  std::map<std::string, KubeconfigCluster> clusters{};
  std::map<std::string, KubeconfigUser> users{};
  std::map<std::string, KubeconfigContext> contexts{};
};

// `path` is where the text was read: it names the file in errors, and relative paths in the text
// are meant from its folder. Fields that we do not know are ignored. An empty text is an empty
// Kubeconfig.
Result<Kubeconfig> ParseKubeconfig(std::string_view text, const std::string& path);

// KUBECONFIG=a:b: of each cluster, user and context of one name, the whole of the first wins, and
// so does the first current-context that is set.
Kubeconfig MergeKubeconfigs(std::vector<Kubeconfig> configs);

// Carried by the error of Resolve when there is no such context.
class UnknownContext final : public ErrorDetail {};

// The configuration of the current context, or of the one named. kInvalid, with what is wrong and
// what to do about it in one line. As with kubectl, a server without TLS gets no credentials.
Result<ClientConfig> Resolve(const Kubeconfig& config, std::string_view context = {});

}  // namespace millwright::kube
