// One request and its answer on libcurl.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/time.h"
#include "net/curl_connections.h"
#include "net/exchange.h"
#include "net/request_error.h"

namespace millwright::net {

// What all requests of one CurlHttp have in common.
struct CurlSettings {
  std::optional<std::string> proxy;
  Duration connect_timeout{};
  std::string user_agent;
  std::size_t max_answer = 0;
  std::size_t max_unread = 0;
};

class CurlExchange final : public Exchange, public CurlLoop::Transfer {
 public:
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

  void Stop() override;
  Error GiveUp() override;
  std::string TakePiece() override;
  std::optional<Error> failure() const override;

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

  std::string Doing() const { return request_.method + " " + ShownUrl(request_.url); }

  // Fixed after construction.
  const std::shared_ptr<CurlConnections> connections_;
  const Request request_;
  const std::size_t limit_;
  CurlLoop& loop_;

  // What libcurl refers to while the transfer runs.
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> lines_{nullptr, curl_slist_free_all};
  CurlLoop::Handle handle_;

  // The answer.
  bool decoded_ = false;  // libcurl was asked to undo the content coding
  bool paused_ = false;
  bool too_large_ = false;

  // How it went.
  int attempts_ = 0;        // libcurl repeats a request on its own when a kept connection was dead
  long size_before_ = 0;    // bytes sent before the last attempt
  bool not_again_ = false;  // we kept libcurl from repeating it
  std::string lost_;        // and what it had said about the attempt before
  bool stopped_ = false;
  CURLcode code_ = CURLE_OK;
  bool arrived_ = false;
  long verify_result_ = 0;
};

}  // namespace millwright::net
