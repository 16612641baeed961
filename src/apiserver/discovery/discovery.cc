#include "apiserver/discovery/discovery.h"

#include <algorithm>
#include <ranges>

#include <boost/json.hpp>

#include "apiserver/discovery/aggregated.h"
#include "apiserver/discovery/groups.h"
#include "apiserver/discovery/reply.h"
#include "apiserver/discovery/root.h"
#include "apiserver/discovery/version.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

std::string_view Header(const net::HttpRequest& request, std::string_view name) {
  return request.headers.Find(name).value_or("");
}

bool IsProbe(std::string_view segment) {
  return segment == "livez" || segment == "readyz" || segment == "healthz";
}

bool IsAggregated(DiscoveryForm form) {
  return form == DiscoveryForm::kAggregatedV2 || form == DiscoveryForm::kAggregatedV2beta1;
}

// Where a kube-apiserver has kinds of its own, another part of it says that a version is not there.
bool IsCustom(const Registry::Group& group) {
  return std::ranges::all_of(group.versions, [](const Registry::Version& version) {
    return std::ranges::all_of(std::views::values(version.resources), &Resource::custom);
  });
}

DocumentCache::Resources AllResources(const Registry& registry) {
  DocumentCache::Resources all;
  for (const Registry::Group& group : registry.groups()) {
    for (const Registry::Version& version : group.versions) {
      for (const auto& [plural, resource] : version.resources) all.push_back(resource);
    }
  }
  return all;
}

}  // namespace

std::optional<net::HttpResponse> Discovery::Answer(const net::HttpRequest& request,
                                                   const net::Target& target) {
  const auto& segments = target.segments;
  if (segments.empty()) return ReplyIndented(RootDocument(registry_, checks_));
  const std::string& first = segments.front();
  if (IsProbe(first)) return AnswerHealth(checks_, target);
  Response response;
  if (first == "version" && segments.size() == 1) response = ReplyIndented(VersionDocument());
  if (first == "api") response = AnswerCore(request, target);
  if (first == "apis") response = AnswerGroups(request, target);
  if (first == "openapi") response = openapi_.Answer(request, target);
  const bool get = request.method == "GET" || request.method == "HEAD";
  if (response && !get) return NotGet();
  return response;
}

net::HttpResponse Discovery::Aggregated(const net::HttpRequest& request, std::string_view path,
                                        DiscoveryForm form) {
  const std::string_view version = form == DiscoveryForm::kAggregatedV2 ? "v2" : "v2beta1";
  const AggregatedPart part = path == "api" ? AggregatedPart::kCore : AggregatedPart::kGroups;
  const std::string type = "application/json;g=apidiscovery.k8s.io;v=" + std::string(version) +
                           ";as=APIGroupDiscoveryList";
  const auto make = [&] {
    return MakeDocument(type, json::serialize(AggregatedDocument(registry_, part, version)) + "\n");
  };
  const std::string key = std::string(path) + " " + std::string(version);
  net::HttpResponse response =
      Respond(aggregated_.Get(key, AllResources(registry_), make), request);
  response.headers.Set("Cache-Control", "public");
  return response;
}

Discovery::Response Discovery::AnswerCore(const net::HttpRequest& request,
                                          const net::Target& target) {
  const auto& segments = target.segments;
  if (segments.size() > 2) return std::nullopt;
  const auto form = NegotiateDiscovery(Header(request, "Accept"), segments.size() == 1);
  if (!form) return NoAcceptableForm();
  if (IsAggregated(*form)) return Aggregated(request, "api", *form);
  if (segments.size() == 1) {
    return Reply(request, target, *form, CoreVersionsDocument(registry_, Header(request, "Host")));
  }
  const Registry::Version* version = registry_.FindVersion("", segments[1]);
  if (version == nullptr) return NoSuchVersion();
  return Reply(request, target, *form, ResourceListDocument("", *version));
}

Discovery::Response Discovery::AnswerGroups(const net::HttpRequest& request,
                                            const net::Target& target) {
  const auto& segments = target.segments;
  if (segments.size() > 3) return std::nullopt;
  const auto form = NegotiateDiscovery(Header(request, "Accept"), segments.size() == 1);
  if (!form) return NoAcceptableForm();
  if (IsAggregated(*form)) return Aggregated(request, "apis", *form);
  if (segments.size() == 1) return Reply(request, target, *form, GroupListDocument(registry_));
  const Registry::Group* group = segments[1].empty() ? nullptr : registry_.FindGroup(segments[1]);
  if (group == nullptr) return PageNotFound();
  if (segments.size() == 2) return Reply(request, target, *form, GroupDocument(*group));
  const Registry::Version* version = registry_.FindVersion(segments[1], segments[2]);
  if (version == nullptr) return IsCustom(*group) ? PageNotFound() : NoSuchVersion();
  return Reply(request, target, *form, ResourceListDocument(group->name, *version));
}

}  // namespace millwright::apiserver
