#include "net/curl_loop.h"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <boost/asio/post.hpp>

#include <chrono>
#include <new>
#include <stdexcept>

namespace millwright::net {

namespace asio = boost::asio;

namespace {

// More than are in flight in the busiest hours; the rest is given back to the system.
constexpr std::size_t kIdleHandles = 256;

// Kept open for later transfers; libcurl's own number shrinks with that of the transfers.
constexpr long kIdleConnections = 64;

// A peer that acknowledges nothing for so long is gone. Without it a write into a dead connection
// is noticed only after some fifteen minutes, and all that is multiplexed on it fails until then.
constexpr int kUserTimeoutMs = 30'000;

// libcurl reads HTTP/2 in pieces of 32 KiB, and hands them on to each stream's buffer. In 7.88,
// what does not fit is left in its own and forgotten until the socket has more (cf_h2_data_pending
// compares the wrong way round): the last bytes of an answer may so never arrive. With a buffer
// larger than the pieces that is rare; when it may have happened, we look once more.
constexpr long kStreamBuffer = 64L << 10U;
constexpr std::size_t kMaybeFull = std::size_t{32} << 10U;

CURLM* NewMulti() {
  // Process-wide and once; libcurl guards it itself.
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (initialised != CURLE_OK) throw std::runtime_error("libcurl cannot be initialised");
  CURLM* multi = curl_multi_init();
  if (multi == nullptr) throw std::bad_alloc();
  return multi;
}

}  // namespace

// A descriptor that libcurl owns and Asio watches.
struct CurlLoop::Socket {
  asio::posix::stream_descriptor descriptor;
  int wanted = CURL_POLL_NONE;
  bool forgotten = false;
  bool waiting_to_read = false;
  bool waiting_to_write = false;
};

CurlLoop::CurlLoop(const Executor& executor, const Limits& limits)
    : executor_(executor), limits_(limits), multi_(NewMulti()), timer_(executor) {
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlLoop::OnSocket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlLoop::OnTimer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, limits.connections_per_host);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kIdleConnections);
  const long sharing = limits.multiplex ? CURLPIPE_MULTIPLEX : CURLPIPE_NOTHING;
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, sharing);
  if (limits.multiplex) {
    curl_multi_setopt(multi_, CURLMOPT_MAX_CONCURRENT_STREAMS, static_cast<long>(limits.running));
  }
}

CurlLoop::~CurlLoop() {
  Close();
  for (CURL* handle : idle_) curl_easy_cleanup(handle);
  curl_multi_cleanup(multi_);
  // libcurl has forgotten its sockets by now; one that it had not would be closed twice.
  while (!sockets_.empty()) Forget(sockets_.begin()->first);
}

CurlLoop::Handle CurlLoop::NewHandle() {
  CURL* handle = nullptr;
  if (idle_.empty()) {
    handle = curl_easy_init();
    if (handle == nullptr) throw std::bad_alloc();
  } else {
    handle = idle_.back();
    idle_.pop_back();
  }
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  // Or else ending a transfer that still resolves its host would wait for the resolver's thread.
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, &CurlLoop::OnOpened);
  curl_easy_setopt(handle, CURLOPT_SOCKOPTDATA, this);
  if (limits_.multiplex) curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, kStreamBuffer);
  curl_easy_setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(handle, CURLOPT_TCP_KEEPIDLE, 30L);
  curl_easy_setopt(handle, CURLOPT_TCP_KEEPINTVL, 10L);
  return Handle(handle, Return{this});
}

void CurlLoop::Recycle(CURL* handle) {
  if (idle_.size() >= kIdleHandles) {
    curl_easy_cleanup(handle);
    return;
  }
  curl_easy_reset(handle);
  idle_.push_back(handle);
}

bool CurlLoop::Fits(std::size_t cost) const {
  if (running_.size() >= limits_.running) return false;
  return running_.empty() || bytes_ + owed_ + cost <= limits_.bytes;
}

void CurlLoop::Start(Transfer& transfer) {
  if (closed_) {
    transfer.OnEnd(CURLE_ABORTED_BY_CALLBACK);
  } else if (HasRoomFor(transfer.cost())) {
    Run(transfer);
  } else {
    waiting_.push_back(&transfer);
  }
}

void CurlLoop::Run(Transfer& transfer) {
  curl_easy_setopt(transfer.handle(), CURLOPT_PRIVATE, &transfer);
  if (curl_multi_add_handle(multi_, transfer.handle()) != CURLM_OK) {
    transfer.OnEnd(CURLE_FAILED_INIT);
    return;
  }
  running_.emplace(&transfer, Running{.number = next_number_++});
  bytes_ += transfer.cost();
}

void CurlLoop::RunWaiting() {
  while (!closed_ && !waiting_.empty() && Fits(waiting_.front()->cost())) {
    Transfer& next = *waiting_.front();
    waiting_.pop_front();
    Run(next);
  }
}

void CurlLoop::Remove(Transfer& transfer, bool answered) {
  const auto node = running_.extract(&transfer);
  if (node.empty()) {
    std::erase(waiting_, &transfer);
    return;
  }
  curl_multi_remove_handle(multi_, transfer.handle());
  bytes_ -= transfer.cost();
  // A connection is read in order: who answers has also read what was sent before.
  if (answered && node.mapped().number >= owed_since_) owed_ = 0;
}

void CurlLoop::Stop(Transfer& transfer) {
  if (running_.contains(&transfer)) {
    owed_ += transfer.cost();
    owed_since_ = next_number_;
    NudgeSoon();
  }
  Remove(transfer, false);
  RunWaiting();
}

void CurlLoop::Close() {
  closed_ = true;
  while (load() > 0) {
    Transfer& transfer = running_.empty() ? *waiting_.front() : *running_.begin()->first;
    Remove(transfer, false);
    transfer.OnEnd(CURLE_ABORTED_BY_CALLBACK);
  }
}

CURLcode CurlLoop::Resume(Transfer& transfer) {
  if (!running_.contains(&transfer)) return CURLE_OK;
  return curl_easy_pause(transfer.handle(), CURLPAUSE_CONT);
}

int CurlLoop::OnSocket(CURL*, curl_socket_t fd, int what, void* self, void*) {
  auto* loop = static_cast<CurlLoop*>(self);
  if (what == CURL_POLL_REMOVE) {
    loop->Forget(fd);
  } else {
    loop->Watch(fd, what);
  }
  return 0;
}

int CurlLoop::OnTimer(CURLM*, long timeout_ms, void* self) {
  static_cast<CurlLoop*>(self)->ArmTimer(timeout_ms);
  return 0;
}

int CurlLoop::OnOpened(void* self, curl_socket_t fd, curlsocktype) {
  auto* loop = static_cast<CurlLoop*>(self);
  ++loop->connections_opened_;
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUserTimeoutMs, sizeof(kUserTimeoutMs));
  const int send_buffer = loop->limits_.send_buffer;
  if (send_buffer > 0) setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof(send_buffer));
  return CURL_SOCKOPT_OK;
}

void CurlLoop::Watch(curl_socket_t fd, int what) {
  auto& socket = sockets_[fd];
  if (!socket) socket = std::make_shared<Socket>(asio::posix::stream_descriptor(executor_, fd));
  socket->wanted = what;
  Arm(socket);
}

void CurlLoop::Forget(curl_socket_t fd) {
  const auto node = sockets_.extract(fd);
  if (node.empty()) return;
  Socket& socket = *node.mapped();
  socket.forgotten = true;
  // The descriptor stays libcurl's, who keeps it for the next request or closes it.
  socket.descriptor.release();
}

void CurlLoop::Arm(const std::shared_ptr<Socket>& socket) {
  using Descriptor = asio::posix::stream_descriptor;
  const auto wait = [&](Descriptor::wait_type type, bool Socket::* waiting, int event) {
    (*socket).*waiting = true;
    socket->descriptor.async_wait(type, [this, life = std::weak_ptr(life_), socket, waiting,
                                         event](const boost::system::error_code& error) {
      (*socket).*waiting = false;
      if (error || life.expired() || socket->forgotten) return;
      const bool still_wanted = (socket->wanted & event) != 0;
      if (still_wanted) Act(socket->descriptor.native_handle(), event);
      if (!socket->forgotten) Arm(socket);
    });
  };
  // libcurl's bits for "wants" and for "is ready" are the same.
  static_assert(CURL_POLL_IN == CURL_CSELECT_IN && CURL_POLL_OUT == CURL_CSELECT_OUT);
  if ((socket->wanted & CURL_POLL_IN) != 0 && !socket->waiting_to_read) {
    wait(Descriptor::wait_read, &Socket::waiting_to_read, CURL_CSELECT_IN);
  }
  if ((socket->wanted & CURL_POLL_OUT) != 0 && !socket->waiting_to_write) {
    wait(Descriptor::wait_write, &Socket::waiting_to_write, CURL_CSELECT_OUT);
  }
}

void CurlLoop::ArmTimer(long timeout_ms) {
  timer_.cancel();
  if (timeout_ms < 0) return;
  if (timeout_ms == 0) {
    if (std::exchange(posted_, true)) return;
    asio::post(executor_, [this, life = std::weak_ptr(life_)] {
      if (life.expired()) return;
      posted_ = false;
      Act(CURL_SOCKET_TIMEOUT, 0);
    });
    return;
  }
  timer_.expires_after(std::chrono::milliseconds(timeout_ms));
  timer_.async_wait([this, life = std::weak_ptr(life_)](const boost::system::error_code& error) {
    if (!error && !life.expired()) Act(CURL_SOCKET_TIMEOUT, 0);
  });
}

void CurlLoop::NoteBody(Transfer& transfer, std::size_t bytes) {
  const auto it = running_.find(&transfer);
  if (it == running_.end()) return;
  Running& running = it->second;
  if (std::exchange(running.turn, turn_) != turn_) running.turn_bytes = 0;
  running.turn_bytes += bytes;
  received_ += bytes;
  if (running.turn_bytes >= kMaybeFull) NudgeSoon();
}

void CurlLoop::NudgeSoon() {
  if (!limits_.multiplex || std::exchange(nudging_, true)) return;
  asio::post(executor_, [this, life = std::weak_ptr(life_)] {
    if (life.expired()) return;
    nudging_ = false;
    std::vector<curl_socket_t> open;
    for (const auto& [fd, socket] : sockets_) open.push_back(fd);
    const std::uint64_t before = received_;
    for (const curl_socket_t fd : open) Act(fd, CURL_CSELECT_IN);
    if (received_ != before) NudgeSoon();  // and where that was, more may be
  });
}

void CurlLoop::Act(curl_socket_t fd, int events) {
  ++turn_;
  int running = 0;
  curl_multi_socket_action(multi_, fd, events, &running);
  TakeEnded();
}

void CurlLoop::TakeEnded() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;  // the message goes with the handle
    Transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    Remove(*transfer, code == CURLE_OK);
    transfer->OnEnd(code);
  }
  RunWaiting();
}

}  // namespace millwright::net
