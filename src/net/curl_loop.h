// libcurl's multi interface on the Asio loop: one thread, no locks, no polling.
#pragma once

#include <curl/curl.h>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/task.h"

namespace millwright::net {

// Runs transfers, each over an HTTP/1.1 connection, and keeps the connections for later ones of the
// same loop. Transfers beyond the limit wait their turn, first come, first served.
class CurlLoop {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  // One exchange, seen from the loop.
  class Transfer {
   public:
    virtual ~Transfer() = default;

    virtual CURL* handle() const = 0;

    // Called once and never from inside libcurl. The handle is out of the loop by then.
    virtual void OnEnd(CURLcode code) = 0;
  };

  // Gives the handle back to the loop it came from, which must still be there.
  struct Return {
    CurlLoop* loop = nullptr;
    void operator()(CURL* handle) const { loop->Recycle(handle); }
  };
  using Handle = std::unique_ptr<CURL, Return>;

  CurlLoop(const Executor& executor, std::size_t max_running);
  ~CurlLoop();
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  // A handle with default options and those that belong to the loop. Used ones come back clean:
  // making a new one costs more than a small request.
  Handle NewHandle();

  // The transfer must stay in place until OnEnd or Stop.
  void Start(Transfer& transfer);

  // Ends it without OnEnd; its connection is closed.
  void Stop(Transfer& transfer);

  // Ends all, each with CURLE_ABORTED_BY_CALLBACK; transfers started later end so at once.
  void Close();

  // Lets a transfer go on whose write callback asked for a pause. May call that callback.
  CURLcode Resume(Transfer& transfer);

  // Sockets opened so far, also those whose connection then failed.
  std::uint64_t connections_opened() const { return connections_opened_; }

 private:
  struct Socket;

  static int OnSocket(CURL* handle, curl_socket_t fd, int what, void* self, void* unused);
  static int OnTimer(CURLM* multi, long timeout_ms, void* self);
  static int OnOpened(void* self, curl_socket_t fd, curlsocktype purpose);

  void Recycle(CURL* handle);
  void Run(Transfer& transfer);
  void RunWaiting();
  void Remove(Transfer& transfer);
  void Watch(curl_socket_t fd, int what);
  void Forget(curl_socket_t fd);
  void Arm(const std::shared_ptr<Socket>& socket);
  void ArmTimer(long timeout_ms);
  void Act(curl_socket_t fd, int events);
  void TakeEnded();

  // Fixed after construction.
  const Executor executor_;
  const std::size_t max_running_;
  CURLM* const multi_;

  // Transfers.
  std::unordered_set<Transfer*> running_;
  std::deque<Transfer*> waiting_;
  std::vector<CURL*> idle_;
  bool closed_ = false;

  // Events.
  boost::asio::steady_timer timer_;
  std::unordered_map<curl_socket_t, std::shared_ptr<Socket>> sockets_;
  std::uint64_t connections_opened_ = 0;
  bool posted_ = false;
  // Asio may still run a handler of ours after we are gone; it finds this expired.
  std::shared_ptr<void> life_ = std::make_shared<int>(0);
};

}  // namespace millwright::net
