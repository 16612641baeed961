#include "apiserver/webhooks/configuration.h"

#include <fmt/format.h>

#include <iterator>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

std::vector<std::string> TextsAt(const json::value& value, std::string_view path) {
  std::vector<std::string> texts;
  const json::array* items = kube::GetArray(value, path);
  if (items == nullptr) return texts;
  for (const json::value& item : *items) {
    if (item.is_string()) texts.emplace_back(item.get_string());
  }
  return texts;
}

kube::LabelSelector SelectorAt(const json::value& webhook, std::string_view name) {
  const json::value* selector = kube::Find(webhook, name);
  if (selector == nullptr || selector->is_null()) return kube::LabelSelector::Everything();
  auto decoded = kube::DecodeLabelSelector(*selector);
  // It was checked before it was stored.
  return decoded ? *std::move(decoded) : kube::LabelSelector::Everything();
}

WebhookRule ReadRule(const json::value& rule) {
  return {.operations = TextsAt(rule, "operations"),
          .groups = TextsAt(rule, "apiGroups"),
          .versions = TextsAt(rule, "apiVersions"),
          .resources = TextsAt(rule, "resources"),
          .scope = std::string(kube::GetString(rule, "scope", "*"))};
}

Webhook ReadWebhook(const json::value& webhook) {
  Webhook read;
  read.name = kube::GetString(webhook, "name");
  if (const json::value* client = kube::Find(webhook, "clientConfig")) {
    read.address = AddressOf(*client);
  }
  if (const json::array* rules = kube::GetArray(webhook, "rules")) {
    for (const json::value& rule : *rules) read.rules.push_back(ReadRule(rule));
  }
  read.exact = kube::GetString(webhook, "matchPolicy") == "Exact";
  read.fail_open = kube::GetString(webhook, "failurePolicy") == "Ignore";
  read.reinvoke = kube::GetString(webhook, "reinvocationPolicy") == "IfNeeded";
  const std::string_view effects = kube::GetString(webhook, "sideEffects");
  read.allows_dry_run = effects == "None" || effects == "NoneOnDryRun";
  read.namespaces = SelectorAt(webhook, "namespaceSelector");
  read.objects = SelectorAt(webhook, "objectSelector");
  if (const json::array* conditions = kube::GetArray(webhook, "matchConditions")) {
    read.conditions = *conditions;
  }
  read.review_versions = TextsAt(webhook, "admissionReviewVersions");
  read.timeout = std::chrono::seconds(kube::GetInt(webhook, "timeoutSeconds", 10));
  return read;
}

}  // namespace

std::vector<Webhook> ReadWebhooks(const json::value& configuration) {
  std::vector<Webhook> webhooks;
  const json::array* list = kube::GetArray(configuration, "webhooks");
  if (list == nullptr) return webhooks;
  const std::string_view owner = kube::GetString(configuration, "metadata.name");
  for (const json::value& item : *list) {
    Webhook webhook = ReadWebhook(item);
    webhook.id = fmt::format("{}/{}/{}", owner, webhook.name, webhooks.size());
    webhooks.push_back(std::move(webhook));
  }
  return webhooks;
}

std::shared_ptr<const std::vector<Webhook>> WebhookConfigurations::Now() {
  auto page = store_.List({.scope = scope_});
  // The newest list is always there.
  if (!page || page->records == read_) return webhooks_;
  auto webhooks = std::make_shared<std::vector<Webhook>>();
  for (const RecordPtr& record : page->records) {
    std::ranges::move(ReadWebhooks(json::parse(record->value)), std::back_inserter(*webhooks));
  }
  read_ = std::move(page->records);
  webhooks_ = std::move(webhooks);
  return webhooks_;
}

}  // namespace millwright::apiserver
