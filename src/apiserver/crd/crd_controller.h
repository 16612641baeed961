// Serves what CustomResourceDefinitions define, and shows in their status how far that is.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>

#include <boost/json/value.hpp>

#include "apiserver/crd/webhook_converter.h"
#include "apiserver/resources/registry.h"
#include "apiserver/store/store.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/task_group.h"

namespace millwright::apiserver {

// A new kind is served before the create of its definition is answered, if Run() is under way. The
// status follows in the steps of a real server: names accepted, then established; at the end the
// objects are removed, and then the definition.
class CrdController {
 public:
  // All but the log outlive the controller.
  CrdController(const Executor& executor, Store& store, Registry& registry, Clock& clock,
                Logger log = {}, WebhookCalls webhooks = {});

  // Serves what is stored already: to be called once, before any request is answered.
  Result<void> Load();

  // Follows the store from there until it is cancelled.
  Task<void> Run();

 private:
  // What of a definition is in the registry, and what tells whether it is still the same.
  struct Served {
    std::string group;
    std::string plural;
    std::string fingerprint;
  };

  Task<void> Follow();
  Task<void> Reconcile(std::string name);
  // One look at a definition. False if it should be repeated after a while.
  Task<bool> TryReconcile(const std::string& name);
  // The first half: which names it gets.
  Task<Result<void>> SettleNames(const Record& record, boost::json::value crd);
  Task<Result<void>> Establish(const Record& record, boost::json::value crd);

  void Serve(const Record& record, const boost::json::value& crd);
  void StopServing(const std::string& name);
  void ReconsiderGroup(std::string_view group, const std::string& except);

  void StartRemoval(const std::string& name);
  Task<void> FinishRemoval(std::string name);
  Task<Result<void>> TryFinishRemoval(const std::string& name);
  Task<Result<void>> ReportRemoval(const std::string& name, std::string_view reason,
                                   std::string_view message);

  // Writes a new status in the name of the server; kConflict if somebody else was faster.
  Task<Result<void>> Write(const Record& record, boost::json::value crd);

  Store& store_;
  Registry& registry_;
  Clock& clock_;
  Logger log_;
  const WebhookCalls webhooks_;

  Revision seen_ = 0;
  std::map<std::string, Served> served_;
  std::deque<std::string> queue_;
  std::set<std::string> removing_;

  TaskGroup tasks_;
};

}  // namespace millwright::apiserver
