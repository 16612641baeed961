// Writes of controllers: only our fields, only if nobody wrote in between, and remembered until the
// cache has seen them.
#pragma once

#include <boost/json/object.hpp>

#include <string>

#include "kube/client/client.h"
#include "kube/informer/write_guard.h"
#include "kube/projection/meta.h"

namespace millwright::controllers::contract {

class Writer {
 public:
  // All outlive the writer.
  Writer(kube::Client& client, kube::GroupVersionResource resource, kube::WriteGuard& guard)
      : client_(client), resource_(std::move(resource)), guard_(guard) {}

  // A merge patch of the object as it was seen: kConflict if it changed since, or is another object
  // of that name. An empty patch is no request. Returns what its metadata are now: a following
  // write, and what its status says about its generation, go by that.
  Task<Result<kube::Meta>> Patch(kube::Meta seen, boost::json::object patch,
                                 std::string subresource = {});

 private:
  kube::Client& client_;
  const kube::GroupVersionResource resource_;
  kube::WriteGuard& guard_;
};

}  // namespace millwright::controllers::contract
