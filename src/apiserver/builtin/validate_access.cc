// Roles and who has them, requests for certificates, and groups served elsewhere.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"
#include "base/base64.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

constexpr std::string_view kRbac = "rbac.authorization.k8s.io";

void CheckRule(const At& rule, bool namespaced, Faults& faults) {
  if (rule["verbs"].Size() == 0) {
    faults.Required(rule["verbs"], "verbs must contain at least one value");
  }
  const At urls = rule["nonResourceURLs"];
  if (urls.Size() > 0) {
    if (namespaced) faults.Invalid(urls, "namespaced rules cannot apply to non-resource URLs");
    if (rule["apiGroups"].Size() + rule["resources"].Size() + rule["resourceNames"].Size() > 0) {
      faults.Invalid(urls, "rules cannot apply to both regular resources and non-resource URLs");
    }
    return;
  }
  if (rule["apiGroups"].Size() == 0) {
    faults.Required(rule["apiGroups"], "resource rules must supply at least one api group");
  }
  if (rule["resources"].Size() == 0) {
    faults.Required(rule["resources"], "resource rules must supply at least one resource");
  }
}

void CheckSubject(const At& subject, bool namespaced, Faults& faults) {
  const std::string_view kind = subject["kind"].Text();
  const At name = subject["name"];
  const At group = subject["apiGroup"];
  if (name.IsEmpty()) faults.Required(name);
  if (kind == "ServiceAccount") {
    if (!name.IsEmpty()) CheckSubdomain(name, faults);
    if (!group.IsEmpty()) faults.NotSupported(group, {""});
    if (!namespaced && subject["namespace"].IsEmpty()) faults.Required(subject["namespace"]);
  } else if (kind == "User" || kind == "Group") {
    if (group.Text() != kRbac) faults.NotSupported(group, {kRbac});
  } else {
    faults.NotSupported(subject["kind"], {"ServiceAccount", "User", "Group"});
  }
}

void CheckBinding(const At& binding, const At* old, bool namespaced, Faults& faults) {
  const At role = binding["roleRef"];
  if (role["apiGroup"].Text() != kRbac) faults.NotSupported(role["apiGroup"], {kRbac});
  const std::string_view kind = role["kind"].Text();
  const bool known = kind == "ClusterRole" || (namespaced && kind == "Role");
  if (!known && namespaced) faults.NotSupported(role["kind"], {"Role", "ClusterRole"});
  if (!known && !namespaced) faults.NotSupported(role["kind"], {"ClusterRole"});
  if (role["name"].IsEmpty()) {
    faults.Required(role["name"]);
  } else {
    faults.Invalid(role["name"], kube::CheckPathSegment(role["name"].Text()));
  }
  for (const At& subject : binding["subjects"].Items()) CheckSubject(subject, namespaced, faults);
  if (old == nullptr || Same(role, (*old)["roleRef"])) return;
  faults.InvalidStruct(
      role,
      GoStructText(
          {{"APIGroup", role["apiGroup"]}, {"Kind", role["kind"]}, {"Name", role["name"]}}),
      "cannot change roleRef");
}

// --- Certificates ---

// "example.com/name".
bool IsSignerName(std::string_view name) {
  const auto slash = name.find('/');
  if (slash == name.npos || slash + 1 == name.size()) return false;
  const auto domain = name.substr(0, slash);
  return domain.find('.') != domain.npos && kube::CheckDns1123Subdomain(domain).empty();
}

bool IsCertificateRequest(std::string_view base64) {
  const auto pem = DecodeBase64(base64);
  return pem && pem->find("-----BEGIN CERTIFICATE REQUEST-----") != pem->npos &&
         pem->find("-----END CERTIFICATE REQUEST-----") != pem->npos;
}

constexpr std::initializer_list<std::string_view> kUsages = {"any",
                                                             "cert sign",
                                                             "client auth",
                                                             "code signing",
                                                             "content commitment",
                                                             "crl sign",
                                                             "data encipherment",
                                                             "decipher only",
                                                             "digital signature",
                                                             "email protection",
                                                             "encipher only",
                                                             "ipsec end system",
                                                             "ipsec tunnel",
                                                             "ipsec user",
                                                             "key agreement",
                                                             "key encipherment",
                                                             "microsoft sgc",
                                                             "netscape sgc",
                                                             "ocsp signing",
                                                             "s/mime",
                                                             "server auth",
                                                             "signing",
                                                             "timestamping"};

void CheckUsages(const At& usages, Faults& faults) {
  if (usages.Size() == 0) faults.Required(usages);
  std::set<std::string_view> seen;
  for (const At& usage : usages.Items()) {
    if (std::ranges::find(kUsages, usage.Text()) == kUsages.end())
      faults.NotSupported(usage, kUsages);
    if (!seen.insert(usage.Text()).second) faults.Duplicate(usage);
  }
}

}  // namespace

void ValidateRole(const At& object, const At* /*old*/, Faults& faults) {
  for (const At& rule : object["rules"].Items()) CheckRule(rule, true, faults);
}

void ValidateClusterRole(const At& object, const At* /*old*/, Faults& faults) {
  for (const At& rule : object["rules"].Items()) CheckRule(rule, false, faults);
  const At aggregation = object["aggregationRule"];
  if (!aggregation.IsSet()) return;
  const At selectors = aggregation["clusterRoleSelectors"];
  if (selectors.Size() == 0) {
    faults.Required(selectors,
                    "at least one clusterRoleSelector required if aggregationRule is non-nil");
  }
  for (const At& selector : selectors.Items()) {
    Faults within;
    CheckLabelSelector(selector, within);
    auto errors = std::move(within).Take();
    if (errors.empty()) continue;
    for (auto& error : errors) faults.Add(std::move(error));
    faults.Invalid(selector, json::value(), "invalid label selector.");
  }
}

void ValidateRoleBinding(const At& object, const At* old, Faults& faults) {
  CheckBinding(object, old, true, faults);
}

void ValidateClusterRoleBinding(const At& object, const At* old, Faults& faults) {
  CheckBinding(object, old, false, faults);
}

void ValidateCertificateRequest(const At& object, const At* old, Faults& faults) {
  if (old != nullptr) return;  // its spec cannot change
  const At spec = object["spec"];
  if (!IsCertificateRequest(spec["request"].Text())) {
    faults.Invalid(spec["request"], json::value(spec["request"].Text()),
                   "PEM block type must be CERTIFICATE REQUEST");
  }
  CheckUsages(spec["usages"], faults);
  const At signer = spec["signerName"];
  if (signer.IsEmpty()) {
    faults.Required(signer);
  } else if (!IsSignerName(signer.Text())) {
    faults.Invalid(signer,
                   "must be a fully qualified domain and path of the form "
                   "'example.com/signer-name'");
  }
  const At expiration = spec["expirationSeconds"];
  if (expiration.IsSet() && expiration.Number() < 600) {
    faults.Invalid(expiration, "may not specify a duration less than 600 seconds (10 minutes)");
  }
}

void ValidateApiService(const At& object, const At* /*old*/, Faults& faults) {
  const At spec = object["spec"];
  const At name = object["metadata"]["name"];
  const std::string wanted = fmt::format("{}.{}", spec["version"].Text(), spec["group"].Text());
  if (name.Text() != wanted) {
    faults.Invalid(name, fmt::format("must be `spec.version+\".\"+spec.group`: \"{}\"", wanted));
  }
  if (!spec["group"].IsEmpty()) CheckSubdomain(spec["group"], faults);
  faults.Invalid(spec["version"], kube::CheckDns1035Label(spec["version"].Text()));
  const auto bounded = [&](std::string_view field, std::int64_t most) {
    const std::int64_t number = spec[field].Number().value_or(0);
    if (number > 0 && number <= most) return;
    faults.Invalid(spec[field], json::value(number),
                   fmt::format("must be positive and less than {}", most));
  };
  bounded("groupPriorityMinimum", 20000);
  bounded("versionPriority", 1000);
  const At service = spec["service"];
  if (!service.IsSet()) return;
  if (service["namespace"].IsEmpty()) faults.Required(service["namespace"]);
  if (service["name"].IsEmpty()) faults.Required(service["name"]);
}

}  // namespace millwright::apiserver::builtin
