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
// is noticed only after some fifteen minutes.
constexpr int kUserTimeoutMs = 30'000;

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

CurlLoop::CurlLoop(const Executor& executor, std::size_t max_running)
    : executor_(executor), max_running_(max_running), multi_(NewMulti()), timer_(executor) {
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlLoop::OnSocket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlLoop::OnTimer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kIdleConnections);
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
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
  curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  // Or else ending a transfer that still resolves its host would wait for the resolver's thread.
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, &CurlLoop::OnOpened);
  curl_easy_setopt(handle, CURLOPT_SOCKOPTDATA, this);
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

void CurlLoop::Start(Transfer& transfer) {
  if (closed_) {
    transfer.OnEnd(CURLE_ABORTED_BY_CALLBACK);
    return;
  }
  waiting_.push_back(&transfer);
  RunWaiting();
}

void CurlLoop::Run(Transfer& transfer) {
  curl_easy_setopt(transfer.handle(), CURLOPT_PRIVATE, &transfer);
  if (curl_multi_add_handle(multi_, transfer.handle()) != CURLM_OK) {
    transfer.OnEnd(CURLE_FAILED_INIT);
    return;
  }
  running_.insert(&transfer);
}

void CurlLoop::RunWaiting() {
  while (!closed_ && !waiting_.empty() && running_.size() < max_running_) {
    Transfer& next = *waiting_.front();
    waiting_.pop_front();
    Run(next);
  }
}

void CurlLoop::Remove(Transfer& transfer) {
  if (running_.erase(&transfer) > 0) {
    curl_multi_remove_handle(multi_, transfer.handle());
  } else {
    std::erase(waiting_, &transfer);
  }
}

void CurlLoop::Stop(Transfer& transfer) {
  Remove(transfer);
  RunWaiting();
}

void CurlLoop::Close() {
  closed_ = true;
  while (!running_.empty() || !waiting_.empty()) {
    Transfer& transfer = running_.empty() ? *waiting_.front() : **running_.begin();
    Remove(transfer);
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

void CurlLoop::Act(curl_socket_t fd, int events) {
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
    Remove(*transfer);
    transfer->OnEnd(code);
  }
  RunWaiting();
}

}  // namespace millwright::net
