// Answers /openapi/v2 and /openapi/v3, from documents that are made when first asked for.
#pragma once

#include <optional>
#include <string>

#include "apiserver/discovery/document.h"
#include "apiserver/resources/registry.h"
#include "net/http.h"
#include "net/url.h"

namespace millwright::apiserver {

class OpenApiAnswers {
 public:
  // The registry outlives this object.
  explicit OpenApiAnswers(const Registry& registry) : registry_(registry) {}

  // For paths that begin with /openapi; none if there is no such path.
  std::optional<net::HttpResponse> Answer(const net::HttpRequest& request,
                                          const net::Target& target);

 private:
  net::HttpResponse AnswerV2(const net::HttpRequest& request);
  net::HttpResponse AnswerIndex();
  net::HttpResponse AnswerV3(const net::HttpRequest& request, const net::Target& target);

  // Of one version of a group, "apis/apps/v1".
  const Document& VersionDocument(const std::string& path, const Registry::Version& version);

  const Registry& registry_;
  DocumentCache v2_;
  DocumentCache v3_;
};

}  // namespace millwright::apiserver
