// The embedded API server as one thing: the store, the kinds, the rules, and the handler on top.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apiserver/auth/authn/authenticator.h"
#include "apiserver/auth/authz/authorizer.h"
#include "apiserver/auth/certificates/signer.h"
#include "apiserver/auth/pki/pki.h"
#include "apiserver/crd/crd_controller.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/housekeeping/disruption.h"
#include "apiserver/housekeeping/expiry.h"
#include "apiserver/housekeeping/garbage.h"
#include "apiserver/housekeeping/namespaces.h"
#include "apiserver/housekeeping/node_lifecycle.h"
#include "apiserver/resources/registry.h"
#include "apiserver/rest/admission.h"
#include "apiserver/server/api_handler.h"
#include "apiserver/store/store.h"
#include "apiserver/webhooks/calls.h"
#include "base/log.h"
#include "base/task_group.h"

namespace millwright::apiserver {

class EmbeddedServer {
 public:
  struct Parts {
    Executor executor;
    // All outlive the server.
    Clock& clock;
    Random& random;
    Disk& disk;
    Pki pki;
    std::vector<StaticToken> static_tokens = {};
    // None: somebody else looks after silent nodes, or nobody.
    std::optional<NodeLimits> nodes = NodeLimits{};
    HandlerLimits limits = {};
    Logger log = {};
    // How webhooks are reached (NetworkDialer); none: they cannot be called.
    DialWebhook dial_webhook = {};
  };

  // Opens the store on the disk.
  static Result<std::unique_ptr<EmbeddedServer>> Open(Parts parts);

  EmbeddedServer(Parts parts, std::unique_ptr<Store> store);

  // Fills an empty store with what every cluster has, serves the kinds that are defined in it, and
  // starts what runs beside requests. To be awaited before the first request.
  Task<Result<void>> Start();

  // Ends what runs beside requests, and closes the store.
  Task<void> Close();

  net::Handler& handler() { return *handler_; }
  Store& store() { return *store_; }

 private:
  Gates MakeGates();
  SpecialEndpoints MakeSpecialEndpoints();
  void AddWebhooks();

  const Parts parts_;
  const std::unique_ptr<Store> store_;
  const WebhookCalls webhooks_;
  Registry registry_;
  Admission admission_;
  const Services services_;
  Authenticator authenticator_;
  Authorizer authorizer_;
  Discovery discovery_;
  CrdController definitions_;
  NamespaceController namespaces_;
  GarbageCollector garbage_;
  DisruptionController budgets_;
  CertificateSigner signer_;
  ExpiryController expiry_;
  std::optional<NodeLifecycle> nodes_;
  std::unique_ptr<ApiHandler> handler_;
  bool started_ = false;
  TaskGroup tasks_;
};

// Who a caller in the same process is: one of system:masters.
net::PeerIdentity TrustedPeer(std::string_view name);

}  // namespace millwright::apiserver
