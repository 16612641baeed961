#include "kube/client/request.h"

#include <boost/json.hpp>

#include "kube/client/query.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kMetadataList =
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";
constexpr std::string_view kMetadata =
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";

net::HttpRequest Plain(std::string method, std::string target, std::string_view accept = kJson) {
  net::HttpRequest request;
  request.method = std::move(method);
  request.target = std::move(target);
  request.headers.Add("Accept", std::string(accept));
  return request;
}

net::HttpRequest WithBody(std::string method, std::string target, std::string_view content_type,
                          std::string body) {
  net::HttpRequest request = Plain(std::move(method), std::move(target));
  request.headers.Add("Content-Type", std::string(content_type));
  request.body = std::move(body);
  return request;
}

Query WriteQuery(const WriteOptions& options) {
  Query query;
  query.AddIfSet("fieldManager", options.field_manager);
  query.AddIfSet("fieldValidation", options.field_validation);
  if (options.dry_run) query.Add("dryRun", "All");
  return query;
}

std::string_view ContentType(PatchKind kind) {
  switch (kind) {
    case PatchKind::kJson: return "application/json-patch+json";
    case PatchKind::kMerge: return "application/merge-patch+json";
    case PatchKind::kStrategicMerge: return "application/strategic-merge-patch+json";
    case PatchKind::kApply: return "application/apply-patch+yaml";
  }
  return kJson;
}

std::string_view PropagationName(Propagation propagation) {
  switch (propagation) {
    case Propagation::kDefault: return "";
    case Propagation::kBackground: return "Background";
    case Propagation::kForeground: return "Foreground";
    case Propagation::kOrphan: return "Orphan";
  }
  return "";
}

json::object DeleteOptionsObject(const DeleteOptions& options) {
  json::object body{{"kind", "DeleteOptions"}, {"apiVersion", "v1"}};
  json::object preconditions;
  if (options.uid) preconditions["uid"] = options.uid->str();
  if (options.resource_version) preconditions["resourceVersion"] = *options.resource_version;
  if (!preconditions.empty()) body["preconditions"] = std::move(preconditions);
  if (options.propagation != Propagation::kDefault) {
    body["propagationPolicy"] = PropagationName(options.propagation);
  }
  if (options.grace_period_seconds) body["gracePeriodSeconds"] = *options.grace_period_seconds;
  if (options.dry_run) body["dryRun"] = json::array{"All"};
  return body;
}

Query SelectorQuery(const ListOptions& options) {
  Query query;
  query.AddIfSet("labelSelector", options.label_selector);
  query.AddIfSet("fieldSelector", options.field_selector);
  return query;
}

}  // namespace

net::HttpRequest GetRequest(const GroupVersionResource& resource, const ObjectKey& key,
                            const std::string& subresource) {
  return Plain("GET", ResourcePath(resource, key.namespace_, key.name, subresource));
}

net::HttpRequest ListRequest(const GroupVersionResource& resource, const ListOptions& options) {
  Query query = SelectorQuery(options);
  if (options.limit > 0) query.Add("limit", std::to_string(options.limit));
  query.AddIfSet("continue", options.continue_token);
  query.AddIfSet("resourceVersion", options.resource_version);
  query.AddIfSet("resourceVersionMatch", options.resource_version_match);
  return Plain("GET", ResourcePath(resource, options.namespace_) + query.Text(),
               options.metadata_only ? kMetadataList : kJson);
}

net::HttpRequest WatchRequest(const GroupVersionResource& resource, const WatchOptions& options) {
  Query query;
  query.Add("watch", "true");
  query.Add("allowWatchBookmarks", "true");
  query.AddIfSet("labelSelector", options.label_selector);
  query.AddIfSet("fieldSelector", options.field_selector);
  query.AddIfSet("resourceVersion", options.resource_version);
  if (options.send_initial_events) {
    query.Add("sendInitialEvents", "true");
    query.Add("resourceVersionMatch", "NotOlderThan");
  }
  if (options.timeout) query.Add("timeoutSeconds", std::to_string(options.timeout->count()));
  return Plain("GET", ResourcePath(resource, options.namespace_) + query.Text(),
               options.metadata_only ? kMetadata : kJson);
}

net::HttpRequest CreateRequest(const GroupVersionResource& resource, const ObjectKey& key,
                               std::string body, const WriteOptions& options) {
  // A create goes to the collection; only a create of a subresource names its object.
  const std::string path =
      options.subresource.empty()
          ? ResourcePath(resource, key.namespace_)
          : ResourcePath(resource, key.namespace_, key.name, options.subresource);
  return WithBody("POST", path + WriteQuery(options).Text(), kJson, std::move(body));
}

net::HttpRequest UpdateRequest(const GroupVersionResource& resource, const ObjectKey& key,
                               std::string body, const WriteOptions& options) {
  const std::string path = ResourcePath(resource, key.namespace_, key.name, options.subresource);
  return WithBody("PUT", path + WriteQuery(options).Text(), kJson, std::move(body));
}

net::HttpRequest PatchRequest(const GroupVersionResource& resource, const ObjectKey& key,
                              PatchKind kind, std::string patch, const PatchOptions& options) {
  const std::string path =
      ResourcePath(resource, key.namespace_, key.name, options.write.subresource);
  Query query = WriteQuery(options.write);
  if (kind == PatchKind::kApply && options.force) query.Add("force", "true");
  return WithBody("PATCH", path + query.Text(), ContentType(kind), std::move(patch));
}

net::HttpRequest DeleteRequest(const GroupVersionResource& resource, const ObjectKey& key,
                               const DeleteOptions& options) {
  return WithBody("DELETE", ResourcePath(resource, key.namespace_, key.name), kJson,
                  json::serialize(DeleteOptionsObject(options)));
}

net::HttpRequest DeleteCollectionRequest(const GroupVersionResource& resource,
                                         const ListOptions& which, const DeleteOptions& options) {
  return WithBody("DELETE", ResourcePath(resource, which.namespace_) + SelectorQuery(which).Text(),
                  kJson, json::serialize(DeleteOptionsObject(options)));
}

net::HttpRequest EvictRequest(const ObjectKey& pod, const EvictOptions& options) {
  static const GroupVersionResource kPods{"", "v1", "pods"};
  DeleteOptions delete_options;
  delete_options.uid = options.uid;
  delete_options.grace_period_seconds = options.grace_period_seconds;
  delete_options.dry_run = options.dry_run;
  json::object body{{"kind", "Eviction"},
                    {"apiVersion", "policy/v1"},
                    {"metadata", {{"name", pod.name}, {"namespace", pod.namespace_}}},
                    {"deleteOptions", DeleteOptionsObject(delete_options)}};
  return WithBody("POST", ResourcePath(kPods, pod.namespace_, pod.name, "eviction"), kJson,
                  json::serialize(body));
}

}  // namespace millwright::kube
