// Kubernetes API calls as HTTP requests. Pure: somebody else sends them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/id.h"
#include "kube/api/object.h"
#include "net/http.h"

namespace millwright::kube {

struct ListOptions {
  std::string namespace_;  // empty: all, or a cluster-scoped kind
  std::string label_selector;
  std::string field_selector;
  std::int64_t limit = 0;      // 0: everything in one answer
  std::string continue_token;  // from the page before
  std::string resource_version;
  std::string resource_version_match;  // "Exact" or "NotOlderThan"
  bool metadata_only = false;          // PartialObjectMetadata instead of whole objects
};

struct WatchOptions {
  std::string namespace_;
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;
  bool send_initial_events = false;  // WatchList: the state first, as events, then the changes
  std::optional<std::chrono::seconds> timeout;  // the server ends the watch after this
  bool metadata_only = false;
};

// How a write is to be treated. An empty manager means the client's own name.
struct WriteOptions {
  std::string field_manager;
  bool dry_run = false;
  std::string subresource;       // "status", "scale", or empty
  std::string field_validation;  // "Strict", "Warn", "Ignore", or the server's default
};

enum class PatchKind { kJson, kMerge, kStrategicMerge, kApply };

struct PatchOptions {
  WriteOptions write;
  bool force = false;  // apply only: take fields that another manager owns
};

enum class Propagation { kDefault, kBackground, kForeground, kOrphan };

struct DeleteOptions {
  // The delete is refused with a conflict unless these are the object's.
  std::optional<Uid> uid;
  std::optional<std::string> resource_version;
  Propagation propagation = Propagation::kDefault;
  std::optional<std::int64_t> grace_period_seconds;
  bool dry_run = false;
};

struct EvictOptions {
  std::optional<std::int64_t> grace_period_seconds;
  std::optional<Uid> uid;
  bool dry_run = false;
};

net::HttpRequest GetRequest(const GroupVersionResource& resource, const ObjectKey& key,
                            const std::string& subresource = {});
net::HttpRequest ListRequest(const GroupVersionResource& resource, const ListOptions& options);
net::HttpRequest WatchRequest(const GroupVersionResource& resource, const WatchOptions& options);
net::HttpRequest CreateRequest(const GroupVersionResource& resource, const ObjectKey& key,
                               std::string body, const WriteOptions& options);
net::HttpRequest UpdateRequest(const GroupVersionResource& resource, const ObjectKey& key,
                               std::string body, const WriteOptions& options);
net::HttpRequest PatchRequest(const GroupVersionResource& resource, const ObjectKey& key,
                              PatchKind kind, std::string patch, const PatchOptions& options);
net::HttpRequest DeleteRequest(const GroupVersionResource& resource, const ObjectKey& key,
                               const DeleteOptions& options);
net::HttpRequest DeleteCollectionRequest(const GroupVersionResource& resource,
                                         const ListOptions& which, const DeleteOptions& options);
net::HttpRequest EvictRequest(const ObjectKey& pod, const EvictOptions& options);

}  // namespace millwright::kube
