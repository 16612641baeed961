#include "apiserver/auth/reviews/review_kinds.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include <boost/json.hpp>

#include "apiserver/builtin/normalize.h"
#include "apiserver/builtin/schema.h"

namespace millwright::apiserver {

namespace {

constexpr const char* kAuthentication = "authentication.k8s.io";
constexpr const char* kAuthorization = "authorization.k8s.io";

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

Resource Make(const char* group, const char* name, bool namespaced = false) {
  const kube::GroupVersionKind kind{group, "v1", name};
  Resource resource{.kind = kind,
                    .plural = Lower(name) + "s",
                    .singular = Lower(name),
                    .list_kind = std::string(name) + "List",
                    .namespaced = namespaced,
                    .verbs = {"create"},
                    .storage_version = "v1"};
  resource.schema = [kind] { return BuiltinSchema(kind); };
  resource.rules.normalize = [kind](boost::json::value& object) {
    return NormalizeBuiltin(kind, object);
  };
  return resource;
}

void Add(Registry& registry, Resource resource) {
  registry.Add(std::make_shared<const Resource>(std::move(resource)));
}

void DefaultExpiration(boost::json::value& request) {
  constexpr std::int64_t kSeconds = 3600;
  boost::json::value& spec = request.get_object()["spec"];
  if (!spec.is_object()) spec = boost::json::object();
  boost::json::value& seconds = spec.get_object()["expirationSeconds"];
  if (seconds.is_null()) seconds = kSeconds;
}

}  // namespace

void AddReviewKinds(Registry& registry) {
  Add(registry, Make(kAuthentication, "SelfSubjectReview"));
  Add(registry, Make(kAuthentication, "TokenReview"));
  Add(registry, Make(kAuthorization, "LocalSubjectAccessReview", true));
  Add(registry, Make(kAuthorization, "SelfSubjectAccessReview"));
  Add(registry, Make(kAuthorization, "SelfSubjectRulesReview"));
  Add(registry, Make(kAuthorization, "SubjectAccessReview"));
}

ResourcePtr TokenRequestKind() {
  Resource resource = Make(kAuthentication, "TokenRequest", true);
  resource.rules.set_defaults = DefaultExpiration;
  return std::make_shared<const Resource>(std::move(resource));
}

}  // namespace millwright::apiserver
