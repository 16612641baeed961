#include "apiserver/server/embedded.h"

#include <boost/json.hpp>

#include "apiserver/kinds/kinds.h"
#include "apiserver/rest/body.h"
#include "apiserver/rest/change.h"
#include "apiserver/rest/failures.h"
#include "apiserver/server/namespace_step.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr const char* kFirstNamespaces[] = {"default", "kube-system", "kube-public",
                                            "kube-node-lease"};

Result<json::value> NoProtobuf(std::string_view /*body*/) {
  return Fail(ErrorKind::kInvalid, "protobuf is not understood here");
}

// What the server itself writes is done by nobody else.
User Self() { return {.name = "system:apiserver", .groups = {"system:masters"}}; }

Task<Result<void>> EnsureNamespace(const Services& services, std::string name) {
  const ResourcePtr resource = services.registry.Find("", "v1", "namespaces");
  if (services.store.Get(StorageKey(*resource, "", name))) co_return Ok();
  const Call call{.resource = resource,
                  .place = {.group = "", .version = "v1", .resource = "namespaces"},
                  .target = {},
                  .method = "POST",
                  .content_type = {},
                  .user_agent = "millwright",
                  .body = {},
                  .output = {},
                  .user = Self()};
  const json::value object{
      {"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}};
  CO_CHECK(co_await StoreNewObject(services, call, {}, object, false, {}));
  co_return Ok();
}

}  // namespace

Result<std::unique_ptr<EmbeddedServer>> EmbeddedServer::Open(const Executor& executor, Clock& clock,
                                                             Random& random, Disk& disk) {
  TRY(auto store, Store::Open(executor, clock, disk));
  return std::make_unique<EmbeddedServer>(executor, clock, random, std::move(store));
}

EmbeddedServer::EmbeddedServer(const Executor& executor, Clock& clock, Random& random,
                               std::unique_ptr<Store> store)
    : store_(std::move(store)),
      services_{.store = *store_,
                .registry = registry_,
                .clock = clock,
                .random = random,
                .admission = admission_,
                .decode_protobuf = NoProtobuf},
      tasks_(executor) {
  AddBuiltinKinds(registry_);
  admission_.Add(std::make_unique<NamespaceStep>(*store_));
  handler_ = std::make_unique<ApiHandler>(services_, SpecialEndpoints{}, MakeGates());
}

Gates EmbeddedServer::MakeGates() {
  return {
      .authenticate = [](const net::PeerIdentity&, const net::HttpRequest&) -> Result<User> {
        return Self();
      },
      .authorize = [](const User&, const Attributes&) { return Ok(); },
      .answer_path = [](const net::HttpRequest&, const net::Target&)
          -> std::optional<net::HttpResponse> { return std::nullopt; },
  };
}

Task<Result<void>> EmbeddedServer::Start() {
  for (const char* name : kFirstNamespaces) CO_CHECK(co_await EnsureNamespace(services_, name));
  co_return Ok();
}

Task<void> EmbeddedServer::Close() {
  tasks_.Cancel();
  co_await tasks_.Join();
  co_await store_->Close();
}

}  // namespace millwright::apiserver
