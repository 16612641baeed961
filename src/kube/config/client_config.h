// How to reach one cluster, and as whom: what a kubeconfig or a pod's service account come down to.
//
// Plain values. Files are named, not read: AuthSource reads them, again and again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <boost/json/value.hpp>

#include "base/secret.h"

namespace millwright::kube {

// PEM text, either here or in a file; neither if there is none. Text wins over a file.
struct PemSource {
  std::string pem{};
  std::string file{};

  bool empty() const { return pem.empty() && file.empty(); }
  friend bool operator==(const PemSource&, const PemSource&) = default;
};

struct KeySource {
  SecretText pem{};
  std::string file{};

  bool empty() const { return pem.empty() && file.empty(); }
  friend bool operator==(const KeySource&, const KeySource&) = default;
};

struct TlsSource {
  PemSource ca{};  // empty: the system's authorities
  PemSource client_cert{};
  KeySource client_key{};
  std::string server_name{};  // asked for and verified instead of the host in the URL
  bool insecure_skip_verify = false;

  friend bool operator==(const TlsSource&, const TlsSource&) = default;
};

struct NoCredentials {
  friend bool operator==(const NoCredentials&, const NoCredentials&) = default;
};

struct BearerToken {
  SecretText token{};
  friend bool operator==(const BearerToken&, const BearerToken&) = default;
};

// A token that somebody else renews.
struct TokenFile {
  std::string path{};
  SecretText fallback{};  // used until the file could be read; may be empty
  friend bool operator==(const TokenFile&, const TokenFile&) = default;
};

struct BasicAuth {
  std::string username{};
  SecretText password{};
  friend bool operator==(const BasicAuth&, const BasicAuth&) = default;
};

// A program that prints credentials (client.authentication.k8s.io). Arguments and environment may
// hold secrets: never show them.
struct ExecPlugin {
  enum class Interactive { kNever, kIfAvailable, kAlways };

  std::string command{};  // a name to look up in PATH, or a path
  std::vector<std::string> args{};
  std::vector<std::pair<std::string, std::string>> env{};
  std::string api_version{};
  std::string install_hint{};
  Interactive interactive = Interactive::kNever;
  bool provide_cluster_info = false;
  boost::json::value
      cluster_config{};  // the cluster's own settings for plugins, passed on as they are

  friend bool operator==(const ExecPlugin&, const ExecPlugin&) = default;
};

// What the Authorization field is made of. A client certificate is not among these but in
// TlsSource, because it travels with the connection, and kubectl allows both at once.
using Credentials = std::variant<NoCredentials, BearerToken, TokenFile, BasicAuth, ExecPlugin>;

// Whom to act as; nobody if there is no user.
struct Impersonation {
  std::string user{};
  std::string uid{};
  std::vector<std::string> groups{};
  std::map<std::string, std::vector<std::string>> extra{};

  friend bool operator==(const Impersonation&, const Impersonation&) = default;
};

struct ClientConfig {
  std::string origin{};  // for people: "context dev in /root/.kube/config"
  std::string server{};  // a URL without a slash at the end
  std::string name_space = "default";
  TlsSource tls{};
  std::optional<std::string> proxy_url{};
  bool disable_compression = false;
  Credentials credentials{};
  Impersonation impersonation{};

  friend bool operator==(const ClientConfig&, const ClientConfig&) = default;
};

}  // namespace millwright::kube
