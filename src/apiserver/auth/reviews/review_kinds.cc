#include "apiserver/auth/reviews/review_kinds.h"

#include <algorithm>
#include <memory>

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

ResourcePtr Make(const char* group, const char* name, bool namespaced = false) {
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
  return std::make_shared<const Resource>(std::move(resource));
}

}  // namespace

void AddReviewKinds(Registry& registry) {
  registry.Add(Make(kAuthentication, "SelfSubjectReview"));
  registry.Add(Make(kAuthentication, "TokenReview"));
  registry.Add(Make(kAuthorization, "LocalSubjectAccessReview", true));
  registry.Add(Make(kAuthorization, "SelfSubjectAccessReview"));
  registry.Add(Make(kAuthorization, "SelfSubjectRulesReview"));
  registry.Add(Make(kAuthorization, "SubjectAccessReview"));
}

ResourcePtr TokenRequestKind() { return Make(kAuthentication, "TokenRequest", true); }

}  // namespace millwright::apiserver
