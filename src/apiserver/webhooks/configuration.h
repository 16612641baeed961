// What configurations say of their webhooks, read once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/store/store.h"
#include "apiserver/webhooks/address.h"
#include "base/time.h"
#include "kube/api/labels.h"

namespace millwright::apiserver {

struct WebhookRule {
  std::vector<std::string> operations;  // "CREATE", "*"
  std::vector<std::string> groups;
  std::vector<std::string> versions;
  std::vector<std::string> resources;  // "pods", "pods/status", "*/scale"
  std::string scope = "*";             // "Cluster", "Namespaced"
};

struct Webhook {
  std::string id;    // of all webhooks: configuration, name and place
  std::string name;  // as refusals tell it
  WebhookAddress address;
  std::vector<WebhookRule> rules;
  bool exact = false;  // only what the rules name, not the same in other versions
  bool fail_open = false;
  bool reinvoke = false;
  bool allows_dry_run = false;
  kube::LabelSelector namespaces;
  kube::LabelSelector objects;
  boost::json::array conditions;
  std::vector<std::string> review_versions;
  Duration timeout = std::chrono::seconds(10);
};

// Those of one MutatingWebhookConfiguration or ValidatingWebhookConfiguration, in its order. Pure.
std::vector<Webhook> ReadWebhooks(const boost::json::value& configuration);

// The webhooks of all configurations of a kind, in the order in which they are called. Follows the
// store without being told.
class WebhookConfigurations {
 public:
  // The store outlives it.
  WebhookConfigurations(const Store& store, std::string scope)
      : store_(store), scope_(std::move(scope)) {}

  // Never null.
  std::shared_ptr<const std::vector<Webhook>> Now();

 private:
  const Store& store_;
  const std::string scope_;
  std::vector<RecordPtr> read_;
  std::shared_ptr<const std::vector<Webhook>> webhooks_ = std::make_shared<std::vector<Webhook>>();
};

}  // namespace millwright::apiserver
