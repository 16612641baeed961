// Configurations of admission webhooks, of both kinds.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

bool Contains(const At& list, std::string_view text) {
  const auto items = list.Items();
  return std::ranges::any_of(items, [&](const At& item) { return item.Text() == text; });
}

void CheckName(const At& name, Faults& faults) {
  if (name.IsEmpty()) return faults.Required(name);
  faults.Invalid(name, kube::CheckDns1123Subdomain(name.Text()));
  if (kube::CheckDns1123Subdomain(name.Text()).empty() &&
      std::ranges::count(name.Text(), '.') < 2) {
    faults.Invalid(name, "should be a domain with at least three segments separated by dots");
  }
}

void CheckReviewVersions(const At& versions, Faults& faults) {
  if (versions.Size() == 0) {
    return faults.Required(versions, "must specify one of v1, v1beta1");
  }
  if (Contains(versions, "v1") || Contains(versions, "v1beta1")) return;
  faults.Invalid(versions, "must include at least one of v1, v1beta1");
}

// Everything, or a list, but not both.
void CheckAllOrSome(const At& list, std::string_view all, std::string_view what, Faults& faults) {
  if (list.Size() == 0) return faults.Required(list);
  if (list.Size() > 1 && Contains(list, all)) {
    faults.Invalid(list, fmt::format("if '{}' is present, must not specify other {}", all, what));
  }
}

void CheckRule(const At& rule, Faults& faults) {
  CheckAllOrSome(rule["operations"], "*", "operations", faults);
  for (const At& operation : rule["operations"].Items()) {
    constexpr std::array<std::string_view, 5> kKnown = {"*", "CONNECT", "CREATE", "DELETE",
                                                        "UPDATE"};
    if (std::ranges::find(kKnown, operation.Text()) == kKnown.end()) {
      faults.NotSupported(operation, {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"});
    }
  }
  CheckAllOrSome(rule["apiGroups"], "*", "API groups", faults);
  CheckAllOrSome(rule["apiVersions"], "*", "API versions", faults);
  for (const At& version : rule["apiVersions"].Items()) {
    if (version.IsEmpty()) faults.Required(version);
  }
  CheckAllOrSome(rule["resources"], "*/*", "resources", faults);
  CheckOneOf(rule["scope"], {"*", "Cluster", "Namespaced"}, faults);
}

void CheckUrl(const At& url, Faults& faults) {
  constexpr std::string_view kForm = "; desired format: https://host[/path]";
  const std::string_view text = url.Text();
  const auto colon = text.find("://");
  const std::string_view scheme = colon == text.npos ? "" : text.substr(0, colon);
  if (scheme != "https") {
    faults.Invalid(url, json::value(scheme),
                   fmt::format("'https' is the only allowed URL scheme{}", kForm));
  }
  const std::string_view rest = colon == text.npos ? text : text.substr(colon + 3);
  if (rest.empty() || rest.starts_with('/')) {
    faults.Invalid(url, json::value(""), fmt::format("host must be specified{}", kForm));
  }
}

void CheckPath(const At& path, Faults& faults) {
  if (path.IsEmpty()) return;
  if (!path.Text().starts_with('/')) faults.Invalid(path, "must start with a '/'");
  std::string_view rest = path.Text().substr(1);
  if (path.Text() == "/") return;
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (int i = 0;; ++i) {
    const auto slash = rest.find('/');
    if (rest.substr(0, slash).empty()) {
      faults.Invalid(path, fmt::format("segment[{}] may not be empty", i));
    }
    if (slash == rest.npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void CheckClient(const At& client, Faults& faults) {
  const At service = client["service"];
  const At url = client["url"];
  if (service.IsSet() == url.IsSet()) {
    return faults.Required(client, "exactly one of url or service is required");
  }
  if (url.IsSet()) return CheckUrl(url, faults);
  if (service["name"].IsEmpty()) faults.Required(service["name"]);
  if (service["namespace"].IsEmpty()) faults.Required(service["namespace"]);
  CheckPath(service["path"], faults);
  const std::int64_t port = service["port"].Number().value_or(0);
  if (port < 1 || port > 65535) {
    faults.Invalid(service["port"], "port is not valid: must be between 1 and 65535, inclusive");
  }
}

void CheckConditions(const At& conditions, Faults& faults) {
  std::set<std::string_view> names;
  for (const At& condition : conditions.Items()) {
    const At name = condition["name"];
    if (name.IsEmpty()) {
      faults.Required(name);
    } else {
      faults.Invalid(name, kube::CheckQualifiedName(name.Text()));
      if (!names.insert(name.Text()).second) faults.Duplicate(name);
    }
    if (condition["expression"].IsEmpty()) faults.Required(condition["expression"]);
  }
}

void CheckSideEffects(const At& effects, Faults& faults) {
  if (!effects.IsSet()) return faults.Required(effects, "must specify one of None, NoneOnDryRun");
  CheckOneOf(effects, {"None", "NoneOnDryRun"}, faults);
}

void CheckWebhook(const At& webhook, Faults& faults) {
  CheckName(webhook["name"], faults);
  for (const At& rule : webhook["rules"].Items()) CheckRule(rule, faults);
  CheckOneOf(webhook["failurePolicy"], {"Fail", "Ignore"}, faults);
  CheckOneOf(webhook["matchPolicy"], {"Equivalent", "Exact"}, faults);
  CheckSideEffects(webhook["sideEffects"], faults);
  const At timeout = webhook["timeoutSeconds"];
  if (timeout.IsSet() && (timeout.Number() < 1 || timeout.Number() > 30)) {
    faults.Invalid(timeout, "the timeout value must be between 1 and 30 seconds");
  }
  CheckLabelSelector(webhook["namespaceSelector"], faults);
  CheckLabelSelector(webhook["objectSelector"], faults);
  CheckClient(webhook["clientConfig"], faults);
  CheckReviewVersions(webhook["admissionReviewVersions"], faults);
  if (webhook["reinvocationPolicy"].IsSet()) {
    CheckOneOf(webhook["reinvocationPolicy"], {"IfNeeded", "Never"}, faults);
  }
  CheckConditions(webhook["matchConditions"], faults);
}

}  // namespace

void ValidateWebhooks(const At& object, const At* /*old*/, Faults& faults) {
  std::set<std::string_view> names;
  for (const At& webhook : object["webhooks"].Items()) {
    CheckWebhook(webhook, faults);
    const At name = webhook["name"];
    if (!name.IsEmpty() && !names.insert(name.Text()).second) faults.Duplicate(name);
  }
}

}  // namespace millwright::apiserver::builtin
