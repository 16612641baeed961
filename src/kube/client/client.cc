#include "kube/client/client.h"

#include "kube/api/status.h"
#include "net/retry.h"

namespace millwright::kube {

namespace {

// Of a refused watch. It is a stream, so that nothing else bounds it.
constexpr std::size_t kMaxErrorBody = 1u << 20;

std::optional<std::chrono::seconds> RetryAfter(const net::Headers& headers) {
  const std::optional<Duration> asked = net::RetryAfterOf(headers);
  if (!asked) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(*asked);
}

bool IsSuccess(int status) { return status >= 200 && status < 300; }

bool IsWrite(const std::string& method) { return method != "GET"; }

// A write that failed inside the server or behind a gateway may have been carried out ("etcdserver:
// request timed out" is a 500). 503, and what asks to be sent again, was not begun.
bool MayHaveHappened(const Status& status) {
  return status.code >= 500 && status.code != 501 && status.code != 503 &&
         status.reason != "ServerTimeout";
}

Error ErrorOf(const std::string& method, Status status,
              std::optional<std::chrono::seconds> retry_after) {
  const bool in_doubt = IsWrite(method) && MayHaveHappened(status);
  Error error = ErrorFrom(status, retry_after);
  if (!in_doubt) return error;
  return Error(ErrorKind::kInDoubt, error.message())
      .WithRetryAfter(error.retry_after())
      .WithDetail(std::make_shared<StatusDetail>(std::move(status)));
}

// "PATCH /api/v1/nodes/a", without the query: selectors and tokens do not belong in messages.
std::string Doing(const std::string& method, const std::string& target) {
  return method + " " + target.substr(0, target.find('?'));
}

}  // namespace

WriteOptions Client::Named(WriteOptions options) const {
  if (options.field_manager.empty()) options.field_manager = field_manager_;
  return options;
}

Task<Result<std::string>> Client::Exchange(net::HttpRequest request) {
  const std::string method = request.method;
  const std::string doing = Doing(method, request.target);
  auto response = co_await http_.Send(std::move(request));
  if (!response) co_return Failure(std::move(response).error());
  if (IsSuccess(response->status)) co_return std::move(response->body);
  co_return Failure(
      ErrorOf(method, ParseStatus(response->status, response->body), RetryAfter(response->headers))
          .Wrap(doing));
}

Task<Result<Document>> Client::ExchangeDocument(net::HttpRequest request) {
  CO_TRY(std::string body, co_await Exchange(std::move(request)));
  co_return Document(std::move(body));
}

Task<Result<Document>> Client::Get(GroupVersionResource resource, ObjectKey key,
                                   std::string subresource) {
  return ExchangeDocument(GetRequest(resource, key, subresource));
}

Task<Result<std::optional<Document>>> Client::Find(GroupVersionResource resource, ObjectKey key) {
  auto found = co_await Get(std::move(resource), std::move(key));
  if (found) co_return std::optional<Document>(*std::move(found));
  const Error& error = found.error();
  if (error.kind() == ErrorKind::kNotFound && !IsMissingResourceType(error)) {
    co_return std::optional<Document>();
  }
  co_return Failure(std::move(found).error());
}

Task<Result<std::string>> Client::List(GroupVersionResource resource, ListOptions options) {
  return Exchange(ListRequest(resource, options));
}

Task<Result<std::unique_ptr<net::BodyReader>>> Client::Watch(GroupVersionResource resource,
                                                             WatchOptions options) {
  net::HttpRequest request = WatchRequest(resource, options);
  const std::string doing = Doing(request.method, request.target);
  auto stream = co_await http_.Open(std::move(request));
  if (!stream) co_return Failure(std::move(stream).error());
  if (IsSuccess(stream->status)) co_return std::move(stream->body);
  std::string body;
  while (body.size() < kMaxErrorBody) {
    auto piece = co_await stream->body->Read();
    if (!piece || piece->empty()) break;
    body += *piece;
  }
  co_return Failure(ErrorFrom(stream->status, body, RetryAfter(stream->headers)).Wrap(doing));
}

Task<Result<Document>> Client::Create(GroupVersionResource resource, ObjectKey key,
                                      std::string body, WriteOptions options) {
  return ExchangeDocument(CreateRequest(resource, key, std::move(body), Named(std::move(options))));
}

Task<Result<Document>> Client::Update(GroupVersionResource resource, ObjectKey key,
                                      std::string body, WriteOptions options) {
  return ExchangeDocument(UpdateRequest(resource, key, std::move(body), Named(std::move(options))));
}

Task<Result<Document>> Client::Patch(GroupVersionResource resource, ObjectKey key, PatchKind kind,
                                     std::string patch, PatchOptions options) {
  options.write = Named(std::move(options.write));
  return ExchangeDocument(PatchRequest(resource, key, kind, std::move(patch), options));
}

Task<Result<Document>> Client::Apply(GroupVersionResource resource, ObjectKey key, std::string body,
                                     PatchOptions options) {
  return Patch(std::move(resource), std::move(key), PatchKind::kApply, std::move(body),
               std::move(options));
}

namespace {

// Gone already is what was wanted; a whole kind that is missing is not.
Result<void> GoneIsFine(Result<std::string> answer) {
  if (answer) return {};
  if (answer.error().kind() == ErrorKind::kNotFound && !IsMissingResourceType(answer.error())) {
    return {};
  }
  return Failure(std::move(answer).error());
}

}  // namespace

Task<Result<void>> Client::Delete(GroupVersionResource resource, ObjectKey key,
                                  DeleteOptions options) {
  co_return GoneIsFine(co_await Exchange(DeleteRequest(resource, key, options)));
}

Task<Result<void>> Client::DeleteCollection(GroupVersionResource resource, ListOptions which,
                                            DeleteOptions options) {
  CO_CHECK(co_await Exchange(DeleteCollectionRequest(resource, which, options)));
  co_return Ok();
}

Task<Result<void>> Client::Evict(ObjectKey pod, EvictOptions options) {
  co_return GoneIsFine(co_await Exchange(EvictRequest(pod, options)));
}

Task<Result<std::string>> Client::GetPath(std::string path) {
  net::HttpRequest request;
  request.target = std::move(path);
  request.headers.Add("Accept", "application/json");
  return Exchange(std::move(request));
}

}  // namespace millwright::kube
