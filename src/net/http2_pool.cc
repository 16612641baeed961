#include "net/http2_pool.h"

#include <algorithm>
#include <utility>

namespace millwright::net {

namespace {

// What kube-apiserver takes, and most others at least.
constexpr std::size_t kAssumedStreams = 100;

// While others are there to do the work.
constexpr Duration kBetweenFailedDials = std::chrono::seconds(1);

}  // namespace

Http2Pool::Http2Pool(const Executor& executor, Clock& clock, Settings settings, TlsConfig tls,
                     std::shared_ptr<TlsContext> context)
    : executor_(executor),
      clock_(clock),
      settings_(std::move(settings)),
      tls_(std::move(tls)),
      context_(std::move(context)),
      max_streams_(kAssumedStreams),
      dial_again_(executor, clock, [this] { PlaceWaiting(); }) {}

Http2Pool::~Http2Pool() { Close(); }

void Http2Pool::Start(Http2Exchange& exchange) {
  if (closed_) {
    exchange.OnClosed();
    return;
  }
  waiting_.push_back(&exchange);
  PlaceWaiting();
}

void Http2Pool::Forget(Http2Exchange& exchange) { std::erase(waiting_, &exchange); }

void Http2Pool::SetTls(TlsConfig tls, std::shared_ptr<TlsContext> context) {
  tls_ = std::move(tls);
  context_ = std::move(context);
  for (const ConnectionPtr& connection : connections_) connection->Retire();
  CancelDial();
  PlaceWaiting();
}

void Http2Pool::Close() {
  closed_ = true;
  dial_again_.Cancel();
  CancelDial();
  for (Http2Exchange* exchange : TakeWaiting()) exchange->OnClosed();
  for (const ConnectionPtr& connection : std::exchange(connections_, {})) connection->Close();
}

void Http2Pool::OnChange() {
  std::erase_if(connections_, [](const ConnectionPtr& some) { return !some->is_open(); });
  for (const ConnectionPtr& connection : connections_) {
    const Http2Session& session = connection->session();
    if (session.knows_max_streams()) {
      max_streams_ = std::max<std::size_t>(session.max_streams(), 1);
    }
  }
  PlaceWaiting();
}

bool Http2Pool::CanSpare(const Http2Connection& connection) {
  return std::ranges::any_of(connections_, [&](const ConnectionPtr& other) {
    return other.get() != &connection && other->has_room();
  });
}

void Http2Pool::PlaceWaiting() {
  const auto place = [this](Http2Exchange* exchange) {
    Http2Connection* const connection = PlaceFor(*exchange);
    if (connection != nullptr) connection->Attach(*exchange);
    return connection != nullptr;
  };
  if (std::ranges::any_of(connections_, &Http2Connection::has_room)) {
    std::erase_if(waiting_, place);
  }
  if (waiting_.empty() || is_dialling() || closed_) return;
  if (MayDial()) {
    Dial();
    return;
  }
  // There will be no other connection for now: better one that has refused it than none.
  for (Http2Exchange* exchange : waiting_) exchange->Avoid(0);
  std::erase_if(waiting_, place);
}

// The oldest that has room, so that those opened for a rush become idle after it.
Http2Connection* Http2Pool::PlaceFor(const Http2Exchange& exchange) const {
  const auto it = std::ranges::find_if(connections_, [&](const ConnectionPtr& connection) {
    return connection->has_room() && connection->number() != exchange.avoided();
  });
  return it == connections_.end() ? nullptr : it->get();
}

bool Http2Pool::HasUsable() const {
  return std::ranges::any_of(connections_, &Http2Connection::is_usable);
}

bool Http2Pool::MayDial() const {
  if (!HasUsable()) return true;
  if (clock_.Elapsed() < dial_after_) return false;
  std::size_t usable = 0;
  std::size_t long_lived = 0;
  for (const ConnectionPtr& connection : connections_) {
    if (!connection->is_usable()) continue;
    // It may take more than we think.
    if (!connection->session().knows_max_streams()) return false;
    ++usable;
    long_lived += connection->session().long_lived();
  }
  // Streams may stay for ever, so what they take up must not count against the calls.
  return usable < settings_.max_connections + long_lived / max_streams_;
}

void Http2Pool::CancelDial() {
  if (dial_) std::exchange(dial_, nullptr)->Cancel();
  if (unix_dial_) std::exchange(unix_dial_, nullptr)->Cancel();
}

void Http2Pool::Dial() {
  ++opened_;
  if (!settings_.unix_socket.empty()) {
    unix_dial_ = UnixDial::Start(
        executor_, settings_.unix_socket,
        [this](Result<std::shared_ptr<UnixSocket>> outcome) { OnUnixDialled(std::move(outcome)); });
    return;
  }
  const std::string& name = tls_.server_name.empty() ? settings_.endpoint.host : tls_.server_name;
  dial_ = TlsDial::Start(
      executor_, clock_,
      {.host = settings_.endpoint.host,
       .port = settings_.endpoint.port,
       .server_name = name,
       .context = context_},
      settings_.connect_timeout,
      [this](Result<std::shared_ptr<TlsStream>> outcome) { OnDialled(std::move(outcome)); });
}

void Http2Pool::OnDialled(Result<std::shared_ptr<TlsStream>> outcome) {
  dial_.reset();
  if (!outcome) {
    OnDialFailed(outcome.error());
  } else if (ChosenProtocol(**outcome) != "h2") {
    OnNotHttp2();
  } else {
    Use(ByteStream(*std::move(outcome)));
  }
}

void Http2Pool::OnUnixDialled(Result<std::shared_ptr<UnixSocket>> outcome) {
  unix_dial_.reset();
  if (!outcome) {
    OnDialFailed(outcome.error());
  } else {
    Use(ByteStream(*std::move(outcome)));
  }
}

void Http2Pool::Use(ByteStream stream) {
  connections_.push_back(std::make_shared<Http2Connection>(
      executor_, clock_, std::move(stream),
      Http2Session::Settings{.stream_window = settings_.stream_window,
                             .assumed_streams = max_streams_},
      settings_.liveness, opened_, *this));
  connections_.back()->Start();
  PlaceWaiting();
}

// Those who wait may still find room on a connection that works.
void Http2Pool::OnDialFailed(const Error& why) {
  if (!HasUsable()) {
    for (Http2Exchange* exchange : TakeWaiting()) exchange->OnNoConnection(why);
    return;
  }
  dial_after_ = clock_.Elapsed() + kBetweenFailedDials;
  dial_again_.Set(dial_after_);
  PlaceWaiting();
}

void Http2Pool::OnNotHttp2() {
  for (Http2Exchange* exchange : TakeWaiting()) exchange->OnNotHttp2();
}

std::vector<Http2Exchange*> Http2Pool::TakeWaiting() {
  const auto taken = std::exchange(waiting_, {});
  return {taken.begin(), taken.end()};
}

}  // namespace millwright::net
