#include "net/http2_session.h"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <stdexcept>

namespace millwright::net {

namespace {

// For all streams together: what fits into a fast and long line.
constexpr std::int32_t kConnectionWindow = 32 << 20;
constexpr std::size_t kSmallestWindow = std::size_t{64} << 10U;
constexpr std::size_t kLargestWindow = std::size_t{16} << 20U;

constexpr std::uint32_t kMaxHeadOfAnswer = 256U << 10U;
constexpr std::size_t kMaxHeadOfRequest = std::size_t{2} << 20U;

// Refusals mean that we use nghttp2 wrongly or that memory is out.
void Require(int code) {
  if (code == NGHTTP2_ERR_NOMEM) throw std::bad_alloc();
  if (code < 0) throw std::runtime_error(std::string("nghttp2: ") + nghttp2_strerror(code));
}

std::string_view View(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::uint8_t* Bytes(const std::string& text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-*): nghttp2 only reads it
  return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
}

}  // namespace

struct Http2Session::Callbacks {
  static Http2Session& Self(void* self) { return *static_cast<Http2Session*>(self); }

  static int OnHeader(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                      std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                      std::uint8_t, void* user) {
    Http2Session& self = Self(user);
    Http2Exchange* exchange = self.Find(frame->hd.stream_id);
    if (exchange == nullptr) return 0;
    self.has_served_ = true;
    if (!exchange->OnField(View(name, name_size), View(value, value_size))) {
      self.Drop(frame->hd.stream_id, NGHTTP2_CANCEL);
    }
    return 0;
  }

  static int OnFrame(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    Http2Session& self = Self(user);
    switch (frame->hd.type) {
      case NGHTTP2_SETTINGS:
        if ((frame->hd.flags & NGHTTP2_FLAG_ACK) != 0) break;
        self.max_streams_ =
            nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
        self.knows_max_streams_ = true;
        break;
      case NGHTTP2_GOAWAY: self.OnGoAway(frame->goaway); break;
      case NGHTTP2_HEADERS:
      case NGHTTP2_DATA: self.OnPart(*frame); break;
      default: break;
    }
    return 0;
  }

  static int OnData(nghttp2_session* session, std::uint8_t, std::int32_t stream,
                    const std::uint8_t* data, std::size_t size, void* user) {
    Http2Session& self = Self(user);
    nghttp2_session_consume_connection(session, size);
    Http2Exchange* exchange = self.Find(stream);
    if (exchange == nullptr) return 0;
    if (!exchange->is_stream()) nghttp2_session_consume_stream(session, stream, size);
    if (!exchange->OnData(View(data, size))) self.Drop(stream, NGHTTP2_CANCEL);
    return 0;
  }

  static int OnClose(nghttp2_session*, std::int32_t stream, std::uint32_t code, void* user) {
    Http2Session& self = Self(user);
    Http2Exchange* exchange = self.Find(stream);
    if (exchange == nullptr) return 0;
    self.streams_.erase(stream);
    exchange->OnReset(code);
    return 0;
  }

  static int OnSent(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    Http2Exchange* exchange = Self(user).Find(frame->hd.stream_id);
    if (exchange != nullptr) exchange->OnSent();
    return 0;
  }

  static ssize_t ReadBody(nghttp2_session*, std::int32_t stream, std::uint8_t* buffer,
                          std::size_t size, std::uint32_t* flags, nghttp2_data_source*,
                          void* user) {
    Http2Exchange* exchange = Self(user).Find(stream);
    if (exchange == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    const std::string_view unsent = exchange->unsent_body();
    const std::size_t now = std::min(size, unsent.size());
    std::ranges::copy(unsent.substr(0, now), buffer);
    exchange->OnBodySent(now);
    if (now == unsent.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(now);
  }

  static int OnComplaint(nghttp2_session*, int, const char* text, std::size_t size, void* user) {
    Self(user).complaint_.assign(text, size);
    return 0;
  }
};

namespace {

Error BrokenError(int code) {
  return Error(ErrorKind::kUnavailable,
               std::string("the server breaks the rules of HTTP/2: ") + nghttp2_strerror(code));
}

template <auto Delete>
struct Deleter {
  template <class T>
  void operator()(T* pointer) const {
    Delete(pointer);
  }
};
using CallbackTable =
    std::unique_ptr<nghttp2_session_callbacks, Deleter<nghttp2_session_callbacks_del>>;
using Options = std::unique_ptr<nghttp2_option, Deleter<nghttp2_option_del>>;

Options MakeOptions(std::size_t assumed_streams) {
  nghttp2_option* made = nullptr;
  Require(nghttp2_option_new(&made));
  Options options(made);
  nghttp2_option_set_no_auto_window_update(made, 1);
  nghttp2_option_set_max_send_header_block_length(made, kMaxHeadOfRequest);
  nghttp2_option_set_peer_max_concurrent_streams(made, static_cast<std::uint32_t>(assumed_streams));
  return options;
}

template <class Callbacks>
CallbackTable MakeCallbacks() {
  nghttp2_session_callbacks* made = nullptr;
  Require(nghttp2_session_callbacks_new(&made));
  CallbackTable table(made);
  nghttp2_session_callbacks_set_on_header_callback(made, Callbacks::OnHeader);
  nghttp2_session_callbacks_set_on_frame_recv_callback(made, Callbacks::OnFrame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, Callbacks::OnData);
  nghttp2_session_callbacks_set_on_stream_close_callback(made, Callbacks::OnClose);
  nghttp2_session_callbacks_set_on_frame_send_callback(made, Callbacks::OnSent);
  nghttp2_session_callbacks_set_error_callback2(made, Callbacks::OnComplaint);
  return table;
}

}  // namespace

Http2Session::Http2Session(const Settings& settings)
    : session_(nullptr, nghttp2_session_del), max_streams_(settings.assumed_streams) {
  nghttp2_session* session = nullptr;
  Require(nghttp2_session_client_new2(&session, MakeCallbacks<Callbacks>().get(), this,
                                      MakeOptions(settings.assumed_streams).get()));
  session_.reset(session);
  const auto window = std::clamp(settings.stream_window, kSmallestWindow, kLargestWindow);
  const std::array<nghttp2_settings_entry, 3> ours = {
      {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<std::uint32_t>(window)},
       {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kMaxHeadOfAnswer}}};
  Require(nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, ours.data(), ours.size()));
  Require(nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, kConnectionWindow));
}

Http2Exchange* Http2Session::Find(std::int32_t stream) const {
  const auto it = streams_.find(stream);
  return it == streams_.end() ? nullptr : it->second;
}

Result<void> Http2Session::Receive(std::string_view bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const ssize_t code = nghttp2_session_mem_recv(session_.get(), data, bytes.size());
  if (code < 0) return Failure(BrokenError(static_cast<int>(code)));
  return Ok();
}

Result<void> Http2Session::Pull(std::string& out, std::size_t enough) {
  while (out.size() < enough) {
    const std::uint8_t* data = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_.get(), &data);
    if (size < 0) return Failure(BrokenError(static_cast<int>(size)));
    if (size == 0) break;
    out.append(View(data, static_cast<std::size_t>(size)));
  }
  return Ok();
}

void Http2Session::Submit(Http2Exchange& exchange) {
  const Http2Request& request = exchange.request();
  std::vector<nghttp2_nv> fields;
  fields.reserve(request.fields.size());
  for (const auto& [name, value] : request.fields) {
    fields.push_back({Bytes(name), Bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
  }
  nghttp2_data_provider body{.source = {.ptr = nullptr}, .read_callback = Callbacks::ReadBody};
  exchange.stream_id = nghttp2_submit_request(session_.get(), nullptr, fields.data(), fields.size(),
                                              request.body.empty() ? nullptr : &body, nullptr);
  Require(exchange.stream_id);
  streams_.emplace(exchange.stream_id, &exchange);
}

void Http2Session::Cancel(Http2Exchange& exchange) { Drop(exchange.stream_id, NGHTTP2_CANCEL); }

// Nobody cares for the stream any more; the server is told.
void Http2Session::Drop(std::int32_t stream, std::uint32_t code) {
  if (streams_.erase(stream) == 0) return;
  Require(nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, stream, code));
}

void Http2Session::OnPart(const nghttp2_frame& frame) {
  const std::int32_t stream = frame.hd.stream_id;
  Http2Exchange* exchange = Find(stream);
  if (exchange == nullptr) return;
  if (frame.hd.type == NGHTTP2_HEADERS) exchange->OnFieldsEnd();
  if ((frame.hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return;
  // An answer may come before all of the request is out; the rest is then of no use.
  const bool sending = nghttp2_session_get_stream_local_close(session_.get(), stream) == 0;
  if (sending) {
    Drop(stream, NGHTTP2_NO_ERROR);
  } else {
    streams_.erase(stream);
  }
  exchange->OnEnd();
}

void Http2Session::OnGoAway(const nghttp2_goaway& frame) {
  if (frame.error_code == NGHTTP2_NO_ERROR) return;
  complaint_ = std::string("GOAWAY ") + nghttp2_http2_strerror(frame.error_code);
  const std::string_view words = View(frame.opaque_data, frame.opaque_data_len);
  const bool readable =
      std::ranges::all_of(words, [](unsigned char c) { return c >= ' ' && c < 0x7f; });
  if (readable && !words.empty()) complaint_ += " " + std::string(words.substr(0, 200));
}

void Http2Session::Consume(const Http2Exchange& exchange, std::size_t bytes) {
  // It may have been closed by the server just now; the bytes then matter to nobody.
  if (bytes > 0) nghttp2_session_consume_stream(session_.get(), exchange.stream_id, bytes);
}

void Http2Session::Ping() {
  Require(nghttp2_submit_ping(session_.get(), NGHTTP2_FLAG_NONE, nullptr));
}

std::vector<Http2Exchange*> Http2Session::Abandon() {
  std::vector<Http2Exchange*> all;
  all.reserve(streams_.size());
  for (const auto& [stream, exchange] : streams_) all.push_back(exchange);
  streams_.clear();
  std::ranges::sort(all, {}, &Http2Exchange::stream_id);
  return all;
}

std::size_t Http2Session::long_lived() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(streams_, [](const auto& entry) { return entry.second->is_stream(); }));
}

bool Http2Session::takes_new() const {
  return nghttp2_session_check_request_allowed(session_.get()) != 0;
}

bool Http2Session::is_over() const {
  return nghttp2_session_want_read(session_.get()) == 0 &&
         nghttp2_session_want_write(session_.get()) == 0;
}

}  // namespace millwright::net
