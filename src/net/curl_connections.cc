#include "net/curl_connections.h"

#include <algorithm>
#include <utility>

namespace millwright::net {

namespace {

// What kube-apiserver allows on a connection.
constexpr std::size_t kStreams = 100;

// Enough for whole bursts of ordinary objects. The kernel counts some 800 bytes more for each
// write, so with two for each stream this is well within the smallest buffer that we get: 416 KiB,
// which is what Linux makes of any wish where net.core.wmem_max is as it comes.
constexpr std::size_t kUnansweredBytes = std::size_t{128} << 10U;
constexpr int kSendBuffer = 1 << 20U;

// A quarter of the above: four such may be under way in a lane.
constexpr std::size_t kLargeRequest = std::size_t{32} << 10U;

// Four hundred calls at a time; a single-threaded process makes no use of more.
constexpr std::size_t kMaxLanes = 4;

}  // namespace

CurlConnections::CurlConnections(const Executor& executor, TlsConfig tls,
                                 std::size_t max_connections)
    : executor_(executor),
      tls_(std::move(tls)),
      max_connections_(std::max<std::size_t>(max_connections, 1)),
      lanes_{NewLane()},
      pool_(std::make_shared<CurlLoop>(executor, CurlLoop::Limits{.running = max_connections_})),
      streams_(std::make_shared<CurlLoop>(executor, CurlLoop::Limits{})) {}

std::shared_ptr<CurlLoop> CurlConnections::NewLane() {
  return std::make_shared<CurlLoop>(
      executor_, CurlLoop::Limits{.multiplex = true,
                                  .connections_per_host = static_cast<long>(max_connections_),
                                  .running = kStreams,
                                  .bytes = kUnansweredBytes,
                                  .send_buffer = kSendBuffer});
}

CurlConnections::Place CurlConnections::ForCall(bool over_tls, std::size_t cost) {
  if (!over_tls || cost > kLargeRequest) return {.loop = pool_};
  return {.loop = Lane(cost), .multiplexed = true};
}

std::shared_ptr<CurlLoop>& CurlConnections::Lane(std::size_t cost) {
  for (auto& lane : lanes_) {
    if (lane->is_stale() && !closed_) {
      opened_by_former_ += lane->connections_opened();
      lane = NewLane();
    }
    if (lane->HasRoomFor(cost)) return lane;
  }
  if (http2_ && lanes_.size() < std::min(kMaxLanes, max_connections_) && !closed_) {
    return lanes_.emplace_back(NewLane());
  }
  return *std::ranges::min_element(lanes_, {}, [](const auto& lane) { return lane->load(); });
}

void CurlConnections::Close() {
  closed_ = true;
  for (const auto& lane : lanes_) lane->Close();
  pool_->Close();
  streams_->Close();
}

std::uint64_t CurlConnections::connections_opened() const {
  std::uint64_t opened =
      opened_by_former_ + pool_->connections_opened() + streams_->connections_opened();
  for (const auto& lane : lanes_) opened += lane->connections_opened();
  return opened;
}

}  // namespace millwright::net
