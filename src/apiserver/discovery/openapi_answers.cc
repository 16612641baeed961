#include "apiserver/discovery/openapi_answers.h"

#include <map>
#include <vector>

#include <boost/json.hpp>

#include "apiserver/discovery/accept.h"
#include "apiserver/discovery/openapi/v2.h"
#include "apiserver/discovery/openapi/v3.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kProtobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
// As older clients spell it.
constexpr std::string_view kOldProtobuf =
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

net::HttpResponse Nothing(int status) { return {.status = status, .headers = {}, .body = {}}; }

std::string_view Accept(const net::HttpRequest& request) {
  return request.headers.Find("Accept").value_or("");
}

enum class Form { kJson, kProtobuf };

std::optional<Form> Negotiate(std::string_view accept, bool has_protobuf) {
  for (const MediaRange& range : ParseAccept(accept)) {
    if (range.Covers(kJson)) return Form::kJson;
    if (has_protobuf && (range.Covers(kProtobuf) || range.Covers(kOldProtobuf))) {
      return Form::kProtobuf;
    }
  }
  return std::nullopt;
}

DocumentCache::Resources ResourcesOf(const Registry::Version& version) {
  DocumentCache::Resources all;
  for (const auto& [plural, resource] : version.resources) all.push_back(resource);
  return all;
}

std::string PathOf(const Registry::Group& group, const Registry::Version& version) {
  return (group.name.empty() ? "api/" : "apis/" + group.name + "/") + version.name;
}

using VersionsByPath = std::map<std::string, const Registry::Version*>;

VersionsByPath Versions(const Registry& registry) {
  VersionsByPath versions;
  for (const Registry::Group& group : registry.groups()) {
    for (const Registry::Version& version : group.versions) {
      versions[PathOf(group, version)] = &version;
    }
  }
  return versions;
}

std::string UrlOf(const std::string& path, const Document& document) {
  return "/openapi/v3/" + path + "?hash=" + document.digest;
}

}  // namespace

std::optional<net::HttpResponse> OpenApiAnswers::Answer(const net::HttpRequest& request,
                                                        const net::Target& target) {
  const auto& segments = target.segments;
  if (segments.size() < 2) return std::nullopt;
  if (segments[1] == "v2" && segments.size() == 2) return AnswerV2(request);
  if (segments[1] != "v3") return std::nullopt;
  return segments.size() == 2 ? AnswerIndex() : AnswerV3(request, target);
}

net::HttpResponse OpenApiAnswers::AnswerV2(const net::HttpRequest& request) {
  const auto form = Negotiate(Accept(request), true);
  if (!form) return Nothing(406);
  DocumentCache::Resources all;
  for (const auto& [path, version] : Versions(registry_)) {
    for (const auto& [plural, resource] : version->resources) all.push_back(resource);
  }
  const auto make = [&] {
    return *form == Form::kJson ? MakeDocument(kJson, openapi::V2Document(all))
                                : MakeDocument(kProtobuf, openapi::V2ProtobufDocument(all));
  };
  return Respond(v2_.Get(*form == Form::kJson ? "json" : "protobuf", all, make), request);
}

const Document& OpenApiAnswers::VersionDocument(const std::string& path,
                                                const Registry::Version& version) {
  DocumentCache::Resources resources = ResourcesOf(version);
  return v3_.Get(path, resources,
                 [&] { return MakeDocument(kJson, openapi::V3Document(resources)); });
}

net::HttpResponse OpenApiAnswers::AnswerIndex() {
  const VersionsByPath versions = Versions(registry_);
  v3_.KeepOnly([&](const std::string& path) { return versions.contains(path); });
  json::object paths;
  for (const auto& [path, version] : versions) {
    paths[path] = json::object{{"serverRelativeURL", UrlOf(path, VersionDocument(path, *version))}};
  }
  return {.status = 200,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
          .body = json::serialize(json::object{{"paths", std::move(paths)}})};
}

net::HttpResponse OpenApiAnswers::AnswerV3(const net::HttpRequest& request,
                                           const net::Target& target) {
  std::string path;
  for (std::size_t i = 2; i < target.segments.size(); ++i) {
    path += (i == 2 ? "" : "/") + target.segments[i];
  }
  const VersionsByPath versions = Versions(registry_);
  const auto version = versions.find(path);
  if (version == versions.end()) return Nothing(404);
  if (!Negotiate(Accept(request), false)) return Nothing(406);
  const Document& document = VersionDocument(path, *version->second);
  const auto hash = target.Find("hash");
  if (!hash) return Respond(document, request);
  if (*hash != document.digest) {
    net::HttpResponse moved = Nothing(301);
    moved.headers.Set("Location", UrlOf(path, document));
    return moved;
  }
  net::HttpResponse response = Respond(document, request);
  // What is under this hash will never be anything else.
  response.headers.Set("Cache-Control", "public, immutable, max-age=31536000");
  return response;
}

}  // namespace millwright::apiserver
