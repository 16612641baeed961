#include "tests/faults/proxy.h"

#include <algorithm>
#include <cctype>

#include "tests/faults/stream_text.h"

namespace millwright::faults {

namespace {

// Between the client and us, or us and the server; the other side makes its own.
bool IsHopField(std::string_view name) {
  for (const std::string_view hop :
       {"connection", "host", "content-length", "transfer-encoding", "accept-encoding",
        "content-encoding", "keep-alive", "te", "upgrade", "expect", "date"}) {
    if (std::ranges::equal(name, hop,
                           [](unsigned char a, unsigned char b) { return std::tolower(a) == b; })) {
      return true;
    }
  }
  return false;
}

net::Headers Passed(const net::Headers& headers) {
  net::Headers passed;
  for (const auto& [name, value] : headers) {
    if (!IsHopField(name)) passed.Add(name, value);
  }
  return passed;
}

net::ServerResponse ErrorAnswer(const FaultAction& action) {
  net::ServerResponse response;
  response.http.status = action.status;
  response.http.headers.Add("Content-Type", "application/json");
  if (action.retry_after_seconds) {
    response.http.headers.Add("Retry-After", std::to_string(*action.retry_after_seconds));
  }
  response.http.body = R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
                       R"("message":"fault proxy","code":)" +
                       std::to_string(action.status) + "}";
  return response;
}

// No answer at all: the client sees a connection that was reset.
net::ServerResponse NoAnswer() {
  net::ServerResponse response;
  response.cut = true;
  return response;
}

Task<Result<void>> WriteAndCut(net::BodyWriter& writer, std::string piece) {
  if (!piece.empty()) CO_CHECK(co_await writer.Write(std::move(piece)));
  co_return Fail(ErrorKind::kUnavailable, "cut by the fault script");
}

net::ServerResponse Unreachable(const Error& error) {
  net::ServerResponse response;
  response.http.status = 502;
  response.http.body = error.message();
  return response;
}

}  // namespace

FaultProxy::FaultProxy(const Executor& executor, Clock& clock, net::Http& upstream)
    : clock_(clock), upstream_(upstream), changed_(executor) {}

void FaultProxy::CutStreams() {
  ++cuts_;
  changed_.NotifyAll();
}

Task<net::ServerResponse> FaultProxy::Handle(net::ServerRequest request) {
  ++requests_;
  const RequestFacts facts{request.http.method, request.http.target};
  const std::optional<FaultAction> action = script_.Next(facts);
  if (action) {
    if (action->fault == Fault::kDelay) co_await SleepFor(clock_, action->delay);
    if (action->fault == Fault::kRefuse) co_return NoAnswer();
    if (action->fault == Fault::kError) co_return ErrorAnswer(*action);
  }
  net::HttpRequest forwarded;
  forwarded.method = request.http.method;
  forwarded.target = request.http.target;
  forwarded.headers = Passed(request.http.headers);
  forwarded.body = std::move(request.http.body);
  if (facts.IsWatch()) co_return co_await ForwardWatch(std::move(forwarded), action);
  co_return co_await Forward(std::move(forwarded), action);
}

Task<net::ServerResponse> FaultProxy::Forward(net::HttpRequest request,
                                              std::optional<FaultAction> action) {
  const std::string target = request.target;
  const bool is_read = request.method == "GET";
  const auto first = first_answers_.find(target);
  net::ServerResponse response;
  if (action && action->fault == Fault::kStale && is_read && first != first_answers_.end()) {
    response.http = first->second;
    co_return response;
  }
  auto answer = co_await upstream_.Send(std::move(request));
  if (!answer) co_return Unreachable(answer.error());
  if (action && action->fault == Fault::kLoseAnswer) co_return NoAnswer();
  if (action && action->fault == Fault::kFreeze) co_return co_await HoldBack();
  response.http.status = answer->status;
  response.http.headers = Passed(answer->headers);
  response.http.body = std::move(answer->body);
  if (is_read) first_answers_.try_emplace(target, response.http);
  if (action && action->fault == Fault::kCut) {
    response.stream = [half = response.http.body.substr(0, response.http.body.size() / 2)](
                          net::BodyWriter& writer) { return WriteAndCut(writer, half); };
    response.http.body.clear();
  }
  co_return response;
}

Task<net::ServerResponse> FaultProxy::HoldBack() {
  const int cuts = cuts_;
  while (cuts == cuts_) {
    if (co_await changed_.Wait() == Wake::kCancelled) break;
  }
  co_return NoAnswer();
}

Task<net::ServerResponse> FaultProxy::ForwardWatch(net::HttpRequest request,
                                                   std::optional<FaultAction> action) {
  auto stream = co_await upstream_.Open(std::move(request));
  if (!stream) co_return Unreachable(stream.error());
  net::ServerResponse response;
  response.http.status = stream->status;
  response.http.headers = Passed(stream->headers);
  response.stream = [this, action, body = std::shared_ptr(std::move(stream->body))](
                        net::BodyWriter& writer) { return Relay(writer, *body, action); };
  co_return response;
}

Task<Result<void>> FaultProxy::Relay(net::BodyWriter& writer, net::BodyReader& reader,
                                     std::optional<FaultAction> action) {
  const int cuts = cuts_;
  std::optional<Result<void>> outcome;
  TaskGroup copying(co_await boost::asio::this_coro::executor);
  copying.Spawn([&] { return Copy(writer, reader, action, outcome); });
  while (!outcome && cuts == cuts_) {
    if (co_await changed_.Wait() == Wake::kCancelled) break;
  }
  const bool ended = outcome.has_value();
  copying.Cancel();
  co_await copying.Join();
  if (ended) co_return *outcome;
  co_return Fail(ErrorKind::kUnavailable, "cut by the test");
}

Task<void> FaultProxy::Copy(net::BodyWriter& writer, net::BodyReader& reader,
                            std::optional<FaultAction> action,
                            std::optional<Result<void>>& outcome) {
  outcome = co_await CopyPieces(writer, reader, std::move(action));
  changed_.NotifyAll();
}

Task<Result<void>> FaultProxy::CopyPieces(net::BodyWriter& writer, net::BodyReader& reader,
                                          std::optional<FaultAction> action) {
  std::string tail;
  for (std::size_t number = 0;; ++number) {
    CO_TRY(std::string piece, co_await reader.Read());
    if (piece.empty()) co_return Ok();
    const bool at_place = action && number >= action->pieces;
    if (at_place && action->fault == Fault::kCut) {
      piece.resize(piece.size() / 2);
      if (!piece.empty()) CO_CHECK(co_await writer.Write(std::move(piece)));
      co_return Fail(ErrorKind::kUnavailable, "cut by the fault script");
    }
    if (at_place && action->fault == Fault::kFreeze) {
      co_await UntilCancelled();
      co_return Fail(ErrorKind::kCancelled, "frozen by the fault script");
    }
    if (action && action->fault == Fault::kRepeat) piece = EachLineTwice(piece, tail);
    if (!piece.empty()) CO_CHECK(co_await writer.Write(std::move(piece)));
  }
}

}  // namespace millwright::faults
