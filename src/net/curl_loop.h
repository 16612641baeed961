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
#include <vector>

#include "base/task.h"

namespace millwright::net {

// Runs transfers and keeps the connections they share; transfers of different loops never share
// one. Those beyond a limit wait their turn, first come, first served.
class CurlLoop {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  struct Limits {
    bool multiplex = false;            // all over one HTTP/2 connection, if the server speaks it
    long connections_per_host = 0;     // 0: as many as it takes
    std::size_t running = kUnlimited;  // transfers at a time
    std::size_t bytes = kUnlimited;    // of requests not yet answered, but for one alone
    int send_buffer = 0;               // of a socket; 0: as the system likes
  };

  // One exchange, seen from the loop.
  class Transfer {
   public:
    virtual ~Transfer() = default;

    virtual CURL* handle() const = 0;

    // The size of the request, not too small.
    virtual std::size_t cost() const = 0;

    // Called once and never from inside libcurl. The handle is out of the loop by then.
    virtual void OnEnd(CURLcode code) = 0;
  };

  // Gives the handle back to the loop it came from, which must still be there.
  struct Return {
    CurlLoop* loop = nullptr;
    void operator()(CURL* handle) const { loop->Recycle(handle); }
  };
  using Handle = std::unique_ptr<CURL, Return>;

  CurlLoop(const Executor& executor, const Limits& limits);
  ~CurlLoop();
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  // A handle with default options and those that belong to the loop. Used ones come back clean:
  // making a new one costs more than a small request.
  Handle NewHandle();

  // The transfer must stay in place until OnEnd or Stop.
  void Start(Transfer& transfer);

  // Ends it without OnEnd: a stream is reset, a connection that cannot be used further is closed.
  void Stop(Transfer& transfer);

  // Ends all, each with CURLE_ABORTED_BY_CALLBACK; transfers started later end so at once.
  void Close();

  // Lets a transfer go on whose write callback asked for a pause. May call that callback.
  CURLcode Resume(Transfer& transfer);

  // To be told by the write callback how much came.
  void NoteBody(Transfer& transfer, std::size_t bytes);

  // Whether Start would begin a transfer of that cost now, or let it wait.
  bool HasRoomFor(std::size_t cost) const { return waiting_.empty() && Fits(cost); }

  // Transfers that run or wait.
  std::size_t load() const { return running_.size() + waiting_.size(); }

  // True if nothing runs but what was stopped may still lie unread in a socket: better not use it.
  bool is_stale() const { return load() == 0 && owed_ > 0; }

  // Sockets opened so far, also those whose connection then failed.
  std::uint64_t connections_opened() const { return connections_opened_; }

 private:
  struct Socket;
  struct Running {
    std::uint64_t number = 0;    // in the order of starting
    std::uint64_t turn = 0;      // in which it last received something
    std::size_t turn_bytes = 0;  // how much
  };

  static int OnSocket(CURL* handle, curl_socket_t fd, int what, void* self, void* unused);
  static int OnTimer(CURLM* multi, long timeout_ms, void* self);
  static int OnOpened(void* self, curl_socket_t fd, curlsocktype purpose);

  void Recycle(CURL* handle);
  bool Fits(std::size_t cost) const;
  void Run(Transfer& transfer);
  void RunWaiting();
  void Remove(Transfer& transfer, bool answered);
  void Watch(curl_socket_t fd, int what);
  void Forget(curl_socket_t fd);
  void Arm(const std::shared_ptr<Socket>& socket);
  void ArmTimer(long timeout_ms);
  void Act(curl_socket_t fd, int events);
  void TakeEnded();
  void NudgeSoon();

  // Fixed after construction.
  const Executor executor_;
  const Limits limits_;
  CURLM* const multi_;

  // Transfers.
  std::unordered_map<Transfer*, Running> running_;
  std::deque<Transfer*> waiting_;
  std::vector<CURL*> idle_;
  std::uint64_t next_number_ = 1;
  std::size_t bytes_ = 0;         // cost of what runs
  std::size_t owed_ = 0;          // cost of what was stopped, perhaps before the server read it
  std::uint64_t owed_since_ = 0;  // an answer to this number or a later one settles it
  bool closed_ = false;

  // Events.
  boost::asio::steady_timer timer_;
  std::unordered_map<curl_socket_t, std::shared_ptr<Socket>> sockets_;
  std::uint64_t connections_opened_ = 0;
  std::uint64_t turn_ = 0;      // counts how often libcurl was called
  std::uint64_t received_ = 0;  // bytes of all bodies
  bool posted_ = false;
  bool nudging_ = false;
  // Asio may still run a handler of ours after we are gone; it finds this expired.
  std::shared_ptr<void> life_ = std::make_shared<int>(0);
};

}  // namespace millwright::net
