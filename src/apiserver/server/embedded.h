// The embedded API server as one thing: the store, the kinds, the rules, and the handler on top.
#pragma once

#include <memory>

#include "apiserver/resources/registry.h"
#include "apiserver/rest/admission.h"
#include "apiserver/server/api_handler.h"
#include "apiserver/store/store.h"
#include "base/task_group.h"

namespace millwright::apiserver {

class EmbeddedServer {
 public:
  // Opens the store on the disk and fills an empty one. All arguments outlive the server.
  static Result<std::unique_ptr<EmbeddedServer>> Open(const Executor& executor, Clock& clock,
                                                      Random& random, Disk& disk);

  EmbeddedServer(const Executor& executor, Clock& clock, Random& random,
                 std::unique_ptr<Store> store);

  // What a cluster has from the start: the namespaces everything else expects. Then whatever runs
  // beside requests. To be awaited before the first request.
  Task<Result<void>> Start();

  // Ends what runs beside requests, and closes the store.
  Task<void> Close();

  net::Handler& handler() { return *handler_; }
  Store& store() { return *store_; }
  Registry& registry() { return registry_; }

 private:
  Gates MakeGates();

  const std::unique_ptr<Store> store_;
  Registry registry_;
  Admission admission_;
  const Services services_;
  std::unique_ptr<ApiHandler> handler_;
  TaskGroup tasks_;
};

}  // namespace millwright::apiserver
