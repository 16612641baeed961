// Writes of controllers: only our fields, only if nobody wrote in between, and remembered until the
// cache has seen them.
#pragma once

#include <boost/json/object.hpp>

#include <optional>
#include <string>

#include "kube/client/client.h"
#include "kube/informer/write_guard.h"
#include "kube/projection/meta.h"

namespace millwright::controllers {

class ObjectWriter {
 public:
  // All outlive the writer.
  ObjectWriter(kube::Client& client, kube::GroupVersionResource resource, kube::WriteGuard& guard)
      : client_(client), resource_(std::move(resource)), guard_(guard) {}

  // A merge patch of the object as it was seen: kConflict if it changed since, or is another object
  // of that name. An empty patch is no request. Returns the version that the object has now.
  Task<Result<kube::ResourceVersion>> Patch(kube::Meta seen, boost::json::object patch,
                                            std::string subresource = {});

  Task<Result<void>> Create(kube::ObjectKey key, boost::json::object body);

  // Only the very object that was seen. One that is gone is success.
  Task<Result<void>> Delete(kube::Meta seen);

  // Finalizers are replaced whole, so they are written as they were seen with ours added or taken.
  Task<Result<void>> AddFinalizer(kube::Meta seen, std::vector<std::string> finalizers,
                                  std::string ours);
  Task<Result<void>> RemoveFinalizer(kube::Meta seen, std::vector<std::string> finalizers,
                                     std::string ours);

  const kube::GroupVersionResource& resource() const { return resource_; }

 private:
  kube::Client& client_;
  const kube::GroupVersionResource resource_;
  kube::WriteGuard& guard_;
};

// The same finalizers with one more, or one fewer; none if that is how they are.
std::optional<std::vector<std::string>> With(std::vector<std::string> finalizers,
                                             const std::string& finalizer);
std::optional<std::vector<std::string>> Without(std::vector<std::string> finalizers,
                                                const std::string& finalizer);

}  // namespace millwright::controllers
