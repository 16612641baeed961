#include "apiserver/server/embedded.h"

#include <boost/json.hpp>

#include "apiserver/auth/authz/ensure_roles.h"
#include "apiserver/auth/authz/escalation.h"
#include "apiserver/auth/authz/impersonation.h"
#include "apiserver/auth/authz/node_restriction.h"
#include "apiserver/auth/certificates/admission.h"
#include "apiserver/auth/certificates/endpoints.h"
#include "apiserver/auth/reviews/endpoints.h"
#include "apiserver/auth/reviews/review_kinds.h"
#include "apiserver/builtin/protobuf.h"
#include "apiserver/crd/crd_rules.h"
#include "apiserver/housekeeping/self.h"
#include "apiserver/kinds/kinds.h"
#include "apiserver/rest/change.h"
#include "apiserver/server/health_checks.h"
#include "apiserver/server/namespace_step.h"
#include "apiserver/server/pod_account_step.h"
#include "apiserver/server/pod_priority_step.h"
#include "apiserver/webhooks/cel_conditions.h"
#include "apiserver/webhooks/condition_rules.h"
#include "apiserver/webhooks/dialer.h"
#include "apiserver/webhooks/webhook_step.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr const char* kFirstNamespaces[] = {"default", "kube-system", "kube-public",
                                            "kube-node-lease"};

Task<Result<void>> EnsureNamespace(const Services& services, std::string name) {
  const ResourcePtr resource = services.registry.Find("", "v1", "namespaces");
  if (services.store.Get(StorageKey(*resource, "", name))) co_return Ok();
  const Call call = CallOf(resource, "", "", "millwright");
  CO_CHECK(
      co_await StoreNewObject(services, call, {}, {{"metadata", {{"name", name}}}}, false, {}));
  co_return Ok();
}

}  // namespace

net::PeerIdentity TrustedPeer(std::string_view name) {
  net::PeerIdentity peer;
  peer.verified = true;
  peer.common_name = name;
  peer.organizations = {"system:masters"};
  return peer;
}

Result<std::unique_ptr<EmbeddedServer>> EmbeddedServer::Open(Parts parts) {
  TRY(auto store, Store::Open(parts.executor, parts.clock, parts.disk));
  return std::make_unique<EmbeddedServer>(std::move(parts), std::move(store));
}

EmbeddedServer::EmbeddedServer(Parts parts, std::unique_ptr<Store> store)
    : parts_(std::move(parts)),
      store_(std::move(store)),
      webhooks_{.dial = WithServices(*store_, parts_.dial_webhook), .random = &parts_.random},
      services_{.store = *store_,
                .registry = registry_,
                .clock = parts_.clock,
                .random = parts_.random,
                .admission = admission_,
                .decode_protobuf = DecodeProtobuf},
      authenticator_({.store = *store_,
                      .registry = registry_,
                      .clock = parts_.clock,
                      .pki = parts_.pki,
                      .static_tokens = parts_.static_tokens}),
      authorizer_(*store_),
      discovery_(registry_, MakeHealthChecks(store_, started_)),
      definitions_(parts_.executor, *store_, registry_, parts_.clock, parts_.log, webhooks_),
      namespaces_(services_, parts_.pki.ca.certificate, parts_.log),
      garbage_(services_, parts_.log),
      budgets_(services_, parts_.log),
      signer_(services_, authorizer_, parts_.pki),
      expiry_(services_, parts_.log),
      tasks_(parts_.executor) {
  if (parts_.nodes) nodes_.emplace(services_, *parts_.nodes, parts_.log);
  AddBuiltinKinds(registry_);
  AddCrdRules(registry_);
  AddConditionRules(registry_);
  AddReviewKinds(registry_);
  admission_.Add(std::make_unique<NamespaceStep>(*store_));
  admission_.Add(std::make_unique<PodAccountStep>(*store_, parts_.clock, parts_.random));
  admission_.Add(std::make_unique<PodPriorityStep>(*store_));
  admission_.Add(std::make_unique<NodeRestrictionStep>(*store_));
  admission_.Add(std::make_unique<EscalationStep>(authorizer_));
  admission_.Add(std::make_unique<CertificateRequestStep>(authorizer_, parts_.clock));
  handler_ =
      std::make_unique<ApiHandler>(services_, MakeSpecialEndpoints(), MakeGates(), parts_.limits);
}

// Not before the store has what every cluster has: no webhook may keep the server from its start.
void EmbeddedServer::AddWebhooks() {
  admission_.Add(std::make_unique<WebhookStep>(parts_.executor,
                                               WebhookAsker::Parts{.store = *store_,
                                                                   .registry = registry_,
                                                                   .clock = parts_.clock,
                                                                   .calls = webhooks_,
                                                                   .conditions = CelConditions()},
                                               parts_.log));
}

SpecialEndpoints EmbeddedServer::MakeSpecialEndpoints() {
  SpecialEndpoints endpoints;
  endpoints["create /pods/eviction"] = EvictPod;
  AddReviewEndpoints(authorizer_, authenticator_, endpoints);
  AddCertificateEndpoints(endpoints);
  return endpoints;
}

Gates EmbeddedServer::MakeGates() {
  return {
      .authenticate = [this](const net::PeerIdentity& peer,
                             const net::HttpRequest& request) -> Result<User> {
        TRY(const User user, authenticator_.Authenticate(peer, request));
        return Impersonate(user, request.headers, authorizer_);
      },
      .authorize =
          [this](const User& user, const Attributes& wish) {
            const Access access = wish.path.empty()
                                      ? AccessTo(wish.verb, wish.place, wish.field_selector)
                                      : AccessToPath(wish.verb, wish.path);
            return authorizer_.Check(user, access);
          },
      .answer_path = [this](
                         const net::HttpRequest& request,
                         const net::Target& target) { return discovery_.Answer(request, target); },
  };
}

Task<Result<void>> EmbeddedServer::Start() {
  CO_CHECK(definitions_.Load());
  for (const char* name : kFirstNamespaces) CO_CHECK(co_await EnsureNamespace(services_, name));
  CO_CHECK(co_await EnsureBuiltinRoles(services_));
  CO_CHECK(co_await EnsureSystemPriorities(services_));
  AddWebhooks();
  tasks_.Spawn([this] { return definitions_.Run(); });
  tasks_.Spawn([this] { return namespaces_.Run(); });
  tasks_.Spawn([this] { return garbage_.Run(); });
  tasks_.Spawn([this] { return budgets_.Run(); });
  tasks_.Spawn([this] { return signer_.Run(); });
  tasks_.Spawn([this] { return expiry_.Run(); });
  if (nodes_) tasks_.Spawn([this] { return nodes_->Run(); });
  started_ = true;
  co_return Ok();
}

Task<void> EmbeddedServer::Close() {
  started_ = false;
  tasks_.Cancel();
  co_await tasks_.Join();
  co_await store_->Close();
}

}  // namespace millwright::apiserver
