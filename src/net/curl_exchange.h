// One request and its answer on libcurl.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "net/curl_connections.h"
#include "net/curl_error.h"
#include "net/http.h"

namespace millwright::net {

// What all requests of one CurlHttp have in common.
struct CurlSettings {
  std::optional<std::string> proxy;
  Duration connect_timeout{};
  std::string user_agent;
  std::size_t max_answer = 0;
  std::size_t max_unread = 0;
};

class CurlExchange final : public CurlLoop::Transfer {
 public:
  enum class Body { kWhole, kPieces };

  struct Request {
    std::string method;
    std::string url;
    Headers headers;
    std::string body;
  };

  CurlExchange(std::shared_ptr<CurlConnections> connections, const CurlSettings& settings,
               Request request, Body body);
  ~CurlExchange() override;
  CurlExchange(const CurlExchange&) = delete;
  CurlExchange& operator=(const CurlExchange&) = delete;

  void Start() { loop_.Start(*this); }

  // Ends it now; whoever waits finds it cancelled.
  void Stop();

  // How far the answer is. Only one that is taken in pieces shows its head before the end.
  bool has_head() const { return mode_ == Body::kPieces && head_complete_; }
  bool has_piece() const { return mode_ == Body::kPieces && !body_.empty(); }
  bool ended() const { return ended_; }
  bool ready() const { return has_head() || ended_; }

  // Waits until more of what the above tell has come. One caller at a time, who keeps the exchange
  // alive.
  Task<Wake> News(Clock& clock, SteadyTime deadline);

  // Status and headers, and the body if it was to be whole. Once ready.
  HttpResponse TakeAnswer();

  // The bytes that came since the last call; lets a paused transfer go on.
  std::string TakePiece();

  // None if the answer is whole. Once ended.
  std::optional<Error> failure() const;

  // The error for giving up now because time is over.
  Error Timeout() const;

  CURL* handle() const override { return handle_.get(); }
  void OnEnd(CURLcode code) override;

 private:
  static std::size_t OnHeader(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t OnBody(char* data, std::size_t size, std::size_t count, void* self);
  static int OnSending(void* self, char*, char*, int, int);

  void Configure(const CurlSettings& settings);
  void ConfigureMethod();
  void ConfigureTls();
  void ConfigureHeaders();
  void TakeHeaderLine(std::string_view line);
  void FinishHead();
  bool MayRepeat() const;
  bool MayHaveArrived() const;
  long SentSize() const;
  void Notify();

  std::string Doing() const { return request_.method + " " + ShownUrl(request_.url); }

  // Fixed after construction.
  const std::shared_ptr<CurlConnections> connections_;
  const Request request_;
  const Body mode_;
  const std::size_t limit_;
  CurlLoop& loop_;

  // What libcurl refers to while the transfer runs.
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> lines_{nullptr, curl_slist_free_all};
  CurlLoop::Handle handle_;

  // The answer as far as it came.
  int status_ = 0;
  Headers headers_;
  std::string body_;
  bool head_complete_ = false;
  bool decoded_ = false;  // libcurl was asked to undo the content coding
  bool paused_ = false;
  bool too_large_ = false;

  // How it went.
  int attempts_ = 0;        // libcurl repeats a request on its own when a kept connection was dead
  long size_before_ = 0;    // bytes sent before the last attempt
  bool not_again_ = false;  // we kept libcurl from repeating it
  std::string lost_;        // and what it had said about the attempt before
  bool stopped_ = false;
  bool ended_ = false;
  CURLcode code_ = CURLE_OK;
  bool arrived_ = false;
  long verify_result_ = 0;

  WaitTable* table_ = nullptr;
  WaitId waiter_ = 0;
};

}  // namespace millwright::net
