// Plays back answers. It knows no semantics: the test says what comes for each request, in order.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/signal.h"
#include "net/http.h"

namespace millwright::net {

// A streamed answer in the test's hands.
class ScriptedStream {
 public:
  explicit ScriptedStream(const Executor& executor) : changed_(executor) {}

  void Push(std::string piece);
  void End();
  void Break(Error error);

  // True while somebody holds the reading end.
  bool is_open() const { return open_; }

 private:
  friend class ScriptedReader;

  std::deque<Result<std::string>> pieces_;
  bool open_ = false;
  Signal changed_;
};

class ScriptedHttp final : public Http {
 public:
  explicit ScriptedHttp(Executor executor) : executor_(std::move(executor)) {}

  // The answer to the next request that nobody has been scripted for yet. `request` is its method
  // and target ("GET /api/v1/nodes?limit=500"), or a part of them; anything else is an error that
  // the caller sees and mismatches() tells.
  void Answer(std::string request, int status, std::string body, Headers headers = {});
  void Answer(std::string request, Error error);
  std::shared_ptr<ScriptedStream> Stream(std::string request);

  // Each request as "METHOD target", and with its body.
  const std::vector<std::string>& log() const { return log_; }
  const std::vector<HttpRequest>& requests() const { return requests_; }

  // What was asked although something else, or nothing, was scripted.
  const std::vector<std::string>& mismatches() const { return mismatches_; }
  bool exhausted() const { return script_.empty(); }

  Task<Result<HttpResponse>> Send(HttpRequest request) override;
  Task<Result<HttpStream>> Open(HttpRequest request) override;

 private:
  struct Line {
    std::string request;
    Result<HttpResponse> answer;
    std::shared_ptr<ScriptedStream> stream;
  };

  Result<Line> Next(HttpRequest request);

  Executor executor_;
  std::deque<Line> script_;
  std::vector<std::string> log_;
  std::vector<HttpRequest> requests_;
  std::vector<std::string> mismatches_;
};

}  // namespace millwright::net
