// Answers the paths that are not about objects: discovery, documents, the version, health.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/discovery/accept.h"
#include "apiserver/discovery/document.h"
#include "apiserver/discovery/health.h"
#include "apiserver/discovery/openapi_answers.h"
#include "apiserver/resources/registry.h"
#include "net/http.h"
#include "net/url.h"

namespace millwright::apiserver {

class Discovery {
 public:
  // The registry outlives this object. Nothing is made before it is asked for.
  explicit Discovery(const Registry& registry, std::vector<HealthCheck> checks = {})
      : registry_(registry), checks_(std::move(checks)), openapi_(registry) {}

  // None if there is no such path. A field Cache-Control in the answer is meant.
  std::optional<net::HttpResponse> Answer(const net::HttpRequest& request,
                                          const net::Target& target);

 private:
  using Response = std::optional<net::HttpResponse>;

  Response AnswerCore(const net::HttpRequest& request, const net::Target& target);
  Response AnswerGroups(const net::HttpRequest& request, const net::Target& target);
  net::HttpResponse Aggregated(const net::HttpRequest& request, std::string_view path,
                               DiscoveryForm form);

  const Registry& registry_;
  const std::vector<HealthCheck> checks_;
  DocumentCache aggregated_;
  OpenApiAnswers openapi_;
};

}  // namespace millwright::apiserver
