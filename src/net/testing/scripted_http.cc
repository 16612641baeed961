#include "net/testing/scripted_http.h"

namespace millwright::net {

void ScriptedStream::Push(std::string piece) {
  pieces_.emplace_back(std::move(piece));
  changed_.NotifyAll();
}

void ScriptedStream::End() { Push(""); }

void ScriptedStream::Break(Error error) {
  pieces_.emplace_back(Failure(std::move(error)));
  changed_.NotifyAll();
}

class ScriptedReader final : public BodyReader {
 public:
  explicit ScriptedReader(std::shared_ptr<ScriptedStream> stream) : stream_(std::move(stream)) {
    stream_->open_ = true;
  }
  ~ScriptedReader() override { stream_->open_ = false; }

  Task<Result<std::string>> Read() override {
    while (stream_->pieces_.empty()) {
      const Wake why = co_await stream_->changed_.Wait();
      if (why == Wake::kCancelled) co_return Fail(ErrorKind::kCancelled, "cancelled");
    }
    Result<std::string> piece = std::move(stream_->pieces_.front());
    stream_->pieces_.pop_front();
    co_return piece;
  }

 private:
  std::shared_ptr<ScriptedStream> stream_;
};

namespace {

// The rest of an answer that the script gave whole.
class WholeReader final : public BodyReader {
 public:
  explicit WholeReader(std::string body) : body_(std::move(body)) {}
  Task<Result<std::string>> Read() override { co_return std::exchange(body_, {}); }

 private:
  std::string body_;
};

}  // namespace

void ScriptedHttp::Answer(std::string request, int status, std::string body, Headers headers) {
  script_.push_back(
      {std::move(request), HttpResponse{status, std::move(headers), std::move(body)}, nullptr});
}

void ScriptedHttp::Answer(std::string request, Error error) {
  script_.push_back({std::move(request), Failure(std::move(error)), nullptr});
}

std::shared_ptr<ScriptedStream> ScriptedHttp::Stream(std::string request) {
  auto stream = std::make_shared<ScriptedStream>(executor_);
  script_.push_back({std::move(request), HttpResponse{200, {}, ""}, stream});
  return stream;
}

Result<ScriptedHttp::Line> ScriptedHttp::Next(HttpRequest request) {
  std::string asked = request.method + " " + request.target;
  log_.push_back(asked);
  requests_.push_back(std::move(request));
  if (script_.empty() || asked.find(script_.front().request) == std::string::npos) {
    mismatches_.push_back(asked);
    return Fail(ErrorKind::kInternal, "not in the script: " + asked);
  }
  Line line = std::move(script_.front());
  script_.pop_front();
  return line;
}

Task<Result<HttpResponse>> ScriptedHttp::Send(HttpRequest request) {
  if (co_await IsCancelled()) co_return Fail(ErrorKind::kCancelled, "cancelled");
  CO_TRY(Line line, Next(std::move(request)));
  co_return std::move(line.answer);
}

Task<Result<HttpStream>> ScriptedHttp::Open(HttpRequest request) {
  if (co_await IsCancelled()) co_return Fail(ErrorKind::kCancelled, "cancelled");
  CO_TRY(Line line, Next(std::move(request)));
  if (!line.answer) co_return Failure(std::move(line.answer).error());
  HttpStream stream;
  stream.status = line.answer->status;
  stream.headers = std::move(line.answer->headers);
  if (line.stream) {
    stream.body = std::make_unique<ScriptedReader>(std::move(line.stream));
  } else {
    stream.body = std::make_unique<WholeReader>(std::move(line.answer->body));
  }
  co_return stream;
}

}  // namespace millwright::net
