#include "agent/certificate_request.h"

#include <boost/json.hpp>

#include <optional>

#include "base/base64.h"
#include "base/signal.h"
#include "base/task_group.h"
#include "kube/informer/informer.h"

namespace millwright::agent {

namespace json = boost::json;

namespace {

const kube::GroupVersionResource kRequests{"certificates.k8s.io", "v1",
                                           "certificatesigningrequests"};

struct RequestView {
  kube::Meta meta;
  std::string certificate;  // base64
  bool refused = false;

  friend bool operator==(const RequestView&, const RequestView&) = default;
};

Result<void> ReadCondition(kube::JsonValue value, RequestView& view) {
  std::string type;
  CHECK_OK(
      kube::ForEachField(value, [&](std::string_view key, kube::JsonValue content) -> Result<void> {
        return key == "type" ? kube::ReadInto(content, type) : Ok();
      }));
  if (type == "Denied" || type == "Failed") view.refused = true;
  return Ok();
}

Result<RequestView> DecodeRequest(kube::JsonObject object) {
  RequestView view;
  const auto read_status = [&](std::string_view key, kube::JsonValue value) -> Result<void> {
    if (key == "certificate") return kube::ReadInto(value, view.certificate);
    if (key != "conditions") return Ok();
    return kube::ForEachItem(value,
                             [&](kube::JsonValue item) { return ReadCondition(item, view); });
  };
  CHECK_OK(
      kube::ForEachField(object, [&](std::string_view key, kube::JsonValue value) -> Result<void> {
        if (key == "metadata") return kube::ReadInto(value, view.meta);
        if (key == "status") return kube::ForEachField(value, read_status);
        return Ok();
      }));
  return view;
}

std::string ObjectFor(const SigningRequest& request, std::optional<Duration> life) {
  json::object spec{{"request", EncodeBase64(request.pem)},
                    {"signerName", "kubernetes.io/kube-apiserver-client-kubelet"},
                    {"usages", json::array{"digital signature", "client auth"}}};
  if (life) spec["expirationSeconds"] = *life / std::chrono::seconds(1);
  json::object metadata;
  metadata["name"] = request.name;
  return json::serialize(json::object{{"apiVersion", "certificates.k8s.io/v1"},
                                      {"kind", "CertificateSigningRequest"},
                                      {"metadata", std::move(metadata)},
                                      {"spec", std::move(spec)}});
}

// None: not decided yet.
std::optional<Result<std::string>> OutcomeOf(const RequestView* view, const std::string& name) {
  if (view == nullptr) {
    return Result<std::string>(Fail(ErrorKind::kUnavailable, "request " + name + " is gone"));
  }
  if (view->refused) {
    return Result<std::string>(Fail(ErrorKind::kPermission, "request " + name + " was refused"));
  }
  if (view->certificate.empty()) return std::nullopt;
  auto pem = DecodeBase64(view->certificate);
  if (!pem) {
    return Result<std::string>(Fail(ErrorKind::kInternal, "request " + name + ": not base64"));
  }
  return Result<std::string>(*std::move(pem));
}

}  // namespace

Task<Result<std::string>> ObtainCertificate(kube::Client& client, Clock& clock, Random& random,
                                            Logger log, SigningRequest request,
                                            std::optional<Duration> life) {
  const kube::ObjectKey key{.namespace_ = "", .name = request.name};
  const auto made = co_await client.Create(kRequests, key, ObjectFor(request, life));
  if (!made && made.error().kind() != ErrorKind::kAlreadyExists) co_return Failure(made.error());

  const Executor executor = co_await boost::asio::this_coro::executor;
  Signal changed(executor);
  kube::Informer<RequestView> informer(
      executor, client, clock, random, log,
      {.resource = kRequests, .field_selector = "metadata.name=" + request.name}, DecodeRequest);
  informer.OnChange([&](const RequestView*, const RequestView*) { changed.NotifyAll(); });
  TaskGroup tasks(executor);
  tasks.Spawn([&] { return informer.Run(); });
  std::optional<Result<std::string>> outcome;
  Wake why = co_await informer.WaitSynced();
  while (why != Wake::kCancelled) {
    outcome = OutcomeOf(informer.store().Find(key), request.name);
    if (outcome) break;
    why = co_await changed.Wait();
  }
  tasks.Cancel();
  co_await tasks.Join();
  if (outcome) co_return *std::move(outcome);
  co_return Fail(ErrorKind::kCancelled, "asked to stop while waiting for a certificate");
}

}  // namespace millwright::agent
