#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "kube/config/kubeconfig.h"
#include "kube/yaml/yaml.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

// One object of the file and how to name it in an error. A missing or null field leaves the target
// as it is, like everywhere in Kubernetes.
class Fields {
 public:
  Fields(const json::object& object, std::string where)
      : object_(object), where_(std::move(where)) {}

  Result<void> Read(std::string_view key, std::string& target) const {
    const json::value* value = Find(key);
    if (value == nullptr) return {};
    const json::string* text = value->if_string();
    if (text == nullptr) return Wrong(key, "must be text; put quotes round it");
    target.assign(text->data(), text->size());
    return {};
  }

  Result<void> Read(std::string_view key, SecretText& target) const {
    std::string text;
    CHECK_OK(Read(key, text));
    if (!text.empty()) target = SecretText(std::move(text));
    return {};
  }

  Result<void> Read(std::string_view key, bool& target) const {
    const json::value* value = Find(key);
    if (value == nullptr) return {};
    if (!value->is_bool()) return Wrong(key, "must be true or false");
    target = value->get_bool();
    return {};
  }

  Result<void> Read(std::string_view key, std::vector<std::string>& target) const {
    return ForEach(key, [&](const json::value& item) -> Result<void> {
      const json::string* text = item.if_string();
      if (text == nullptr) return Wrong(key, "must be a list of texts; put quotes round them");
      target.emplace_back(*text);
      return {};
    });
  }

  // Calls `visit` with each item of a list.
  template <class Visit>
  Result<void> ForEach(std::string_view key, Visit visit) const {
    const json::value* value = Find(key);
    if (value == nullptr) return {};
    const json::array* list = value->if_array();
    if (list == nullptr) return Wrong(key, "must be a list");
    for (const json::value& item : *list) CHECK_OK(visit(item));
    return {};
  }

  // Calls `read` with the fields of an inner object, if it is there.
  template <class ReadInner>
  Result<void> Inner(std::string_view key, ReadInner read) const {
    const json::value* value = Find(key);
    if (value == nullptr) return {};
    const json::object* object = value->if_object();
    if (object == nullptr) return Wrong(key, "must be a mapping");
    return read(Fields(*object, where_));
  }

  const json::object& object() const { return object_; }

  Failure Wrong(std::string_view key, std::string_view what) const {
    return Fail(ErrorKind::kInvalid, fmt::format("{}: \"{}\" {}", where_, key, what));
  }

 private:
  const json::value* Find(std::string_view key) const {
    const json::value* value = object_.if_contains(key);
    return value == nullptr || value->is_null() ? nullptr : value;
  }

  const json::object& object_;
  const std::string where_;
};

// A path in the file is meant from the file's folder.
void Anchor(std::string& path, const std::string& folder) {
  if (!path.empty()) path = (std::filesystem::path(folder) / path).lexically_normal().string();
}

Result<void> ReadCluster(const Fields& fields, const std::string& folder, KubeconfigCluster& out) {
  CHECK_OK(fields.Read("server", out.server));
  CHECK_OK(fields.Read("tls-server-name", out.tls_server_name));
  CHECK_OK(fields.Read("insecure-skip-tls-verify", out.insecure_skip_tls_verify));
  CHECK_OK(fields.Read("certificate-authority", out.certificate_authority));
  CHECK_OK(fields.Read("certificate-authority-data", out.certificate_authority_data));
  CHECK_OK(fields.Read("proxy-url", out.proxy_url));
  CHECK_OK(fields.Read("disable-compression", out.disable_compression));
  Anchor(out.certificate_authority, folder);
  return fields.ForEach("extensions", [&](const json::value& item) -> Result<void> {
    const json::object* extension = item.if_object();
    if (extension == nullptr) return fields.Wrong("extensions", "must be a list of mappings");
    const json::value* name = extension->if_contains("name");
    const json::value* content = extension->if_contains("extension");
    const bool for_plugins = name != nullptr && *name == "client.authentication.k8s.io/exec";
    if (for_plugins && content != nullptr) out.exec_config = *content;
    return {};
  });
}

Result<void> ReadExec(const Fields& fields, const std::string& folder, ExecPlugin& out) {
  CHECK_OK(fields.Read("apiVersion", out.api_version));
  CHECK_OK(fields.Read("command", out.command));
  CHECK_OK(fields.Read("args", out.args));
  CHECK_OK(fields.Read("installHint", out.install_hint));
  CHECK_OK(fields.Read("provideClusterInfo", out.provide_cluster_info));
  // A bare name is looked up in PATH.
  if (out.command.contains('/')) Anchor(out.command, folder);
  return fields.ForEach("env", [&](const json::value& item) -> Result<void> {
    const json::object* entry = item.if_object();
    if (entry == nullptr) return fields.Wrong("env", "of exec must be a list of name and value");
    const Fields variable(*entry, "env of exec");
    std::pair<std::string, std::string> pair;
    CHECK_OK(variable.Read("name", pair.first));
    CHECK_OK(variable.Read("value", pair.second));
    if (pair.first.empty()) return fields.Wrong("env", "of exec has an entry without a name");
    out.env.push_back(std::move(pair));
    return {};
  });
}

Result<void> ReadImpersonation(const Fields& fields, Impersonation& out) {
  CHECK_OK(fields.Read("as", out.user));
  CHECK_OK(fields.Read("as-uid", out.uid));
  CHECK_OK(fields.Read("as-groups", out.groups));
  return fields.Inner("as-user-extra", [&](const Fields& extra) -> Result<void> {
    for (const json::key_value_pair& entry : extra.object()) {
      CHECK_OK(extra.Read(entry.key(), out.extra[std::string(entry.key())]));
    }
    return {};
  });
}

Result<void> ReadUser(const Fields& fields, const std::string& folder, KubeconfigUser& out) {
  CHECK_OK(fields.Read("client-certificate", out.client_certificate));
  CHECK_OK(fields.Read("client-certificate-data", out.client_certificate_data));
  CHECK_OK(fields.Read("client-key", out.client_key));
  CHECK_OK(fields.Read("client-key-data", out.client_key_data));
  CHECK_OK(fields.Read("token", out.token));
  CHECK_OK(fields.Read("tokenFile", out.token_file));
  CHECK_OK(fields.Read("username", out.username));
  CHECK_OK(fields.Read("password", out.password));
  CHECK_OK(ReadImpersonation(fields, out.impersonation));
  Anchor(out.client_certificate, folder);
  Anchor(out.client_key, folder);
  Anchor(out.token_file, folder);
  CHECK_OK(fields.Inner("auth-provider", [&](const Fields& provider) {
    out.auth_provider = "(unnamed)";
    return provider.Read("name", out.auth_provider);
  }));
  return fields.Inner("exec", [&](const Fields& exec) -> Result<void> {
    CHECK_OK(exec.Read("interactiveMode", out.exec_interactive_mode));
    return ReadExec(exec, folder, out.exec.emplace());
  });
}

Result<void> ReadContext(const Fields& fields, const std::string&, KubeconfigContext& out) {
  CHECK_OK(fields.Read("cluster", out.cluster));
  CHECK_OK(fields.Read("user", out.user));
  return fields.Read("namespace", out.name_space);
}

// A list of {name: ..., cluster: {...}}, where "cluster" is the singular of the list's key.
template <class T>
Result<void> ReadStanzas(const Fields& file, const std::string& path, std::string_view singular,
                         Result<void> (*read)(const Fields&, const std::string&, T&),
                         std::map<std::string, T>& out) {
  const std::string plural = std::string(singular) + "s";
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return file.ForEach(plural, [&](const json::value& item) -> Result<void> {
    const json::object* named = item.if_object();
    if (named == nullptr) return file.Wrong(plural, "must be a list of mappings");
    std::string name;
    CHECK_OK(Fields(*named, fmt::format("{}: {}", path, plural)).Read("name", name));
    if (name.empty()) return file.Wrong(plural, "has an entry without a name");
    const Fields entry(*named, fmt::format("{}: {} \"{}\"", path, singular, name));
    const auto [it, is_new] = out.try_emplace(name);
    if (!is_new)
      return file.Wrong(plural, fmt::format("has two entries named \"{}\"; remove one", name));
    T& stanza = it->second;
    return entry.Inner(singular, [&](const Fields& inner) { return read(inner, folder, stanza); });
  });
}

}  // namespace

Result<Kubeconfig> ParseKubeconfig(std::string_view text, const std::string& path) {
  TRY(const json::value root, ParseYaml(text, path));
  Kubeconfig config{.files = {path}};
  if (root.is_null()) return config;
  const json::object* object = root.if_object();
  if (object == nullptr) return Fail(ErrorKind::kInvalid, path + " is not a kubeconfig");
  const Fields file(*object, path);
  std::string kind = "Config";
  CHECK_OK(file.Read("kind", kind));
  if (kind != "Config") {
    return Fail(ErrorKind::kInvalid,
                fmt::format("{} is not a kubeconfig but has kind \"{}\"", path, kind));
  }
  CHECK_OK(file.Read("current-context", config.current_context));
  CHECK_OK(ReadStanzas(file, path, "cluster", ReadCluster, config.clusters));
  CHECK_OK(ReadStanzas(file, path, "user", ReadUser, config.users));
  CHECK_OK(ReadStanzas(file, path, "context", ReadContext, config.contexts));
  return config;
}

Kubeconfig MergeKubeconfigs(std::vector<Kubeconfig> configs) {
  Kubeconfig merged;
  for (Kubeconfig& config : configs) {
    merged.files.insert(merged.files.end(), config.files.begin(), config.files.end());
    if (merged.current_context.empty()) merged.current_context = config.current_context;
    merged.clusters.merge(config.clusters);
    merged.users.merge(config.users);
    merged.contexts.merge(config.contexts);
  }
  return merged;
}

}  // namespace millwright::kube
