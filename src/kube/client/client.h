// The Kubernetes API as functions: any kind by its group, version and resource.
//
// Every call is one request. Failures carry the server's Status (kube/api/status.h). A write whose
// answer was lost is kInDoubt: read before acting again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kube/client/document.h"
#include "kube/client/request.h"
#include "net/http.h"

namespace millwright::kube {

class Client {
 public:
  // `field_manager` is the name under which our writes appear in managedFields.
  Client(net::Http& http, std::string field_manager)
      : http_(http), field_manager_(std::move(field_manager)) {}

  Task<Result<Document>> Get(GroupVersionResource resource, ObjectKey key,
                             std::string subresource = {});

  // Absence of the object is a value. Absence of the whole kind is still kNotFound: a missing CRD
  // must not be mistaken for a missing object.
  Task<Result<std::optional<Document>>> Find(GroupVersionResource resource, ObjectKey key);

  // One page as it came; ForEachListItem (kube/projection/list.h) walks it and tells what follows.
  Task<Result<std::string>> List(GroupVersionResource resource, ListOptions options = {});

  // The raw stream of events; kube/watch reads it.
  Task<Result<std::unique_ptr<net::BodyReader>>> Watch(GroupVersionResource resource,
                                                       WatchOptions options);

  Task<Result<Document>> Create(GroupVersionResource resource, ObjectKey key, std::string body,
                                WriteOptions options = {});
  Task<Result<Document>> Update(GroupVersionResource resource, ObjectKey key, std::string body,
                                WriteOptions options = {});
  Task<Result<Document>> Patch(GroupVersionResource resource, ObjectKey key, PatchKind kind,
                               std::string patch, PatchOptions options = {});

  // Server-side apply of exactly the fields in `body`.
  Task<Result<Document>> Apply(GroupVersionResource resource, ObjectKey key, std::string body,
                               PatchOptions options = {});

  // Deleting what is not there is success.
  Task<Result<void>> Delete(GroupVersionResource resource, ObjectKey key,
                            DeleteOptions options = {});
  Task<Result<void>> DeleteCollection(GroupVersionResource resource, ListOptions which,
                                      DeleteOptions options = {});

  // kThrottled while a PodDisruptionBudget forbids it; a pod that is gone is success.
  Task<Result<void>> Evict(ObjectKey pod, EvictOptions options = {});

  // Any other path, for discovery and health.
  Task<Result<std::string>> GetPath(std::string path);

  const std::string& field_manager() const { return field_manager_; }

 private:
  Task<Result<std::string>> Exchange(net::HttpRequest request);
  Task<Result<Document>> ExchangeDocument(net::HttpRequest request);
  WriteOptions Named(WriteOptions options) const;

  net::Http& http_;
  const std::string field_manager_;
};

}  // namespace millwright::kube
