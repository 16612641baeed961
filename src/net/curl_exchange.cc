#include "net/curl_exchange.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <stdexcept>
#include <utility>

#include "net/curl_error.h"

namespace millwright::net {

namespace {

// A refusal means that libcurl was built without something we need, or is out of memory.
template <class T>
void Set(CURL* handle, CURLoption option, T value) {
  const CURLcode code = curl_easy_setopt(handle, option, value);
  if (code != CURLE_OK) {
    throw std::runtime_error("libcurl option " + std::to_string(static_cast<int>(option)) + ": " +
                             curl_easy_strerror(code));
  }
}

void SetBlob(CURL* handle, CURLoption option, const std::string& text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): libcurl only reads it
  curl_blob blob{const_cast<char*>(text.data()), text.size(), CURL_BLOB_NOCOPY};
  Set(handle, option, &blob);
}

// TLS for the name in `config` although the connection goes to another host. The check of the name
// is OpenSSL's; libcurl's own is turned off with it. The name to ask for has to be set last of all,
// after libcurl has set the host: that is when the handshake begins.
void AskForServerName(const SSL* ssl, int where, int) {
  if ((where & SSL_CB_HANDSHAKE_START) == 0) return;
  const auto* config = static_cast<const TlsConfig*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): OpenSSL hands out what it lets us change
  SSL_set_tlsext_host_name(const_cast<SSL*>(ssl), config->server_name.c_str());
}

CURLcode UseServerName(CURL*, void* context, void* tls_config) {
  auto* tls = static_cast<SSL_CTX*>(context);
  const auto* config = static_cast<const TlsConfig*>(tls_config);
  X509_VERIFY_PARAM* verify = SSL_CTX_get0_param(tls);
  const bool is_address = X509_VERIFY_PARAM_set1_ip_asc(verify, config->server_name.c_str()) == 1;
  if (is_address) return CURLE_OK;  // addresses are never asked for
  if (X509_VERIFY_PARAM_set1_host(verify, config->server_name.c_str(), 0) != 1) {
    return CURLE_OUT_OF_MEMORY;
  }
  SSL_CTX_set_app_data(tls, tls_config);
  SSL_CTX_set_info_callback(tls, AskForServerName);
  return CURLE_OK;
}

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

CurlExchange::CurlExchange(std::shared_ptr<CurlConnections> connections,
                           const CurlSettings& settings, Request request, Body body)
    : Exchange(body),
      connections_(std::move(connections)),
      request_(std::move(request)),
      limit_(body == Body::kWhole ? settings.max_answer : settings.max_unread),
      loop_(body == Body::kWhole ? connections_->calls : connections_->streams),
      handle_(loop_.NewHandle()) {
  Configure(settings);
}

CurlExchange::~CurlExchange() { loop_.Stop(*this); }

void CurlExchange::Stop() {
  if (ended()) return;
  loop_.Stop(*this);
  stopped_ = true;
  OnEnd(CURLE_ABORTED_BY_CALLBACK);
}

void CurlExchange::Configure(const CurlSettings& settings) {
  CURL* handle = handle_.get();
  Set(handle, CURLOPT_URL, request_.url.c_str());
  Set(handle, CURLOPT_PATH_AS_IS, 1L);
  Set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  Set(handle, CURLOPT_ERRORBUFFER, error_.data());
  Set(handle, CURLOPT_HEADERFUNCTION, &CurlExchange::OnHeader);
  Set(handle, CURLOPT_HEADERDATA, this);
  Set(handle, CURLOPT_WRITEFUNCTION, &CurlExchange::OnBody);
  Set(handle, CURLOPT_WRITEDATA, this);
  Set(handle, CURLOPT_PREREQFUNCTION, &CurlExchange::OnSending);
  Set(handle, CURLOPT_PREREQDATA, this);
  Set(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  Set(handle, CURLOPT_USERAGENT, settings.user_agent.c_str());
  const auto connect_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(settings.connect_timeout).count();
  Set(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(connect_ms, 1)));
  if (settings.proxy) {
    Set(handle, CURLOPT_PROXY, settings.proxy->c_str());
    Set(handle, CURLOPT_NOPROXY, "");  // NO_PROXY is for proxies from the environment
  }
  ConfigureMethod();
  ConfigureHeaders();
  ConfigureTls();
}

void CurlExchange::ConfigureMethod() {
  CURL* handle = handle_.get();
  const std::string& method = request_.method;
  if (method == "HEAD") {
    Set(handle, CURLOPT_NOBODY, 1L);
    return;
  }
  const bool has_body =
      !request_.body.empty() || method == "POST" || method == "PUT" || method == "PATCH";
  if (has_body) {
    Set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    Set(handle, CURLOPT_POSTFIELDS, request_.body.c_str());
  }
  const std::string_view implied = has_body ? "POST" : "GET";
  if (method != implied) Set(handle, CURLOPT_CUSTOMREQUEST, method.c_str());
}

void CurlExchange::ConfigureHeaders() {
  const auto add = [this](const std::string& line) {
    curl_slist* longer = curl_slist_append(lines_.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    [[maybe_unused]] curl_slist* const part_of_longer = lines_.release();
    lines_.reset(longer);
  };
  for (const auto& [name, value] : request_.headers) {
    const std::string_view text = Trimmed(value);
    add(text.empty() ? name + ";" : name + ": " + std::string(text));
  }
  // What libcurl would add unasked.
  add("Expect:");
  if (!request_.headers.Find("Content-Type")) add("Content-Type:");
  Set(handle_.get(), CURLOPT_HTTPHEADER, lines_.get());

  decoded_ = !request_.headers.Find("Accept-Encoding");
  if (decoded_) Set(handle_.get(), CURLOPT_ACCEPT_ENCODING, "gzip");
}

void CurlExchange::ConfigureTls() {
  CURL* handle = handle_.get();
  const TlsConfig& tls = connections_->tls;
  Set(handle, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!tls.ca_pem.empty()) {
    SetBlob(handle, CURLOPT_CAINFO_BLOB, tls.ca_pem);
    // Or else the system's authorities would be trusted besides.
    Set(handle, CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  }
  if (!tls.client_cert_pem.empty()) {
    SetBlob(handle, CURLOPT_SSLCERT_BLOB, tls.client_cert_pem);
    SetBlob(handle, CURLOPT_SSLKEY_BLOB, tls.client_key_pem.Reveal());
  }
  const bool named = !tls.server_name.empty();
  Set(handle, CURLOPT_SSL_VERIFYPEER, tls.insecure_skip_verify ? 0L : 1L);
  Set(handle, CURLOPT_SSL_VERIFYHOST, tls.insecure_skip_verify || named ? 0L : 2L);
  if (named) {
    Set(handle, CURLOPT_SSL_CTX_FUNCTION, &UseServerName);
    Set(handle, CURLOPT_SSL_CTX_DATA, &tls);
  }
}

std::string CurlExchange::TakePiece() {
  std::string piece = std::exchange(body_, {});
  if (std::exchange(paused_, false)) {
    const CURLcode code = loop_.Resume(*this);
    if (code != CURLE_OK && !ended()) {
      loop_.Stop(*this);
      OnEnd(code);
    }
  }
  return piece;
}

std::optional<Error> CurlExchange::failure() const {
  const bool cancelled = code_ == CURLE_ABORTED_BY_CALLBACK && !not_again_;
  if (stopped_ || cancelled) return StoppedError(Doing());
  if (too_large_) return TooLargeError(request_.method, Doing(), "answer", limit_);
  if (code_ == CURLE_OK) return std::nullopt;
  const CurlFailure facts{.code = not_again_ ? CURLE_GOT_NOTHING : code_,
                          .detail = not_again_ ? lost_ : error_.data(),
                          .verify_result = verify_result_,
                          .sent = arrived_};
  return ErrorFrom(facts, request_.method, Doing());
}

Error CurlExchange::GiveUp() {
  const bool sent = MayHaveArrived();
  Stop();
  return TimeoutError(sent, request_.method, Doing());
}

void CurlExchange::OnEnd(CURLcode code) {
  code_ = code;
  arrived_ = not_again_ || MayHaveArrived();
  curl_easy_getinfo(handle_.get(), CURLINFO_SSL_VERIFYRESULT, &verify_result_);
  handle_.reset();
  End();
}

std::size_t CurlExchange::OnHeader(char* data, std::size_t size, std::size_t count, void* self) {
  static_cast<CurlExchange*>(self)->TakeHeaderLine(std::string_view(data, size * count));
  return size * count;
}

void CurlExchange::TakeHeaderLine(std::string_view line) {
  if (head_complete_) return;  // a trailer
  if (line.starts_with("HTTP/")) {
    headers_ = {};
    status_ = 0;
    const auto space = std::min(line.find(' '), line.size() - 1);
    std::from_chars(line.data() + space + 1, line.data() + line.size(), status_);
    return;
  }
  const std::string_view text = Trimmed(line);
  if (text.empty()) {
    const bool interim = status_ < 200;
    if (!interim) FinishHead();
    return;
  }
  const auto colon = text.find(':');
  if (colon == text.npos) return;
  headers_.Add(std::string(text.substr(0, colon)), std::string(Trimmed(text.substr(colon + 1))));
}

void CurlExchange::FinishHead() {
  head_complete_ = true;
  const auto coding = headers_.Find("Content-Encoding");
  const bool was_coded = decoded_ && coding && *coding == "gzip";
  if (was_coded) headers_ = OfPlainBody(headers_);
  if (mode() == Body::kPieces) Notify();
}

std::size_t CurlExchange::OnBody(char* data, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  const std::size_t total = size * count;
  const bool fits = exchange.body_.size() + total <= exchange.limit_;
  if (exchange.mode() == Body::kWhole) {
    exchange.too_large_ = !fits;
    if (!fits) return 0;
  } else if (!fits && !exchange.body_.empty()) {
    exchange.paused_ = true;
    return CURL_WRITEFUNC_PAUSE;
  }
  exchange.body_.append(data, total);
  if (exchange.mode() == Body::kPieces) exchange.Notify();
  return total;
}

// Called when there is a connection, before the request goes out on it: the first time and each
// time libcurl repeats it by itself.
int CurlExchange::OnSending(void* self, char*, char*, int, int) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  if (exchange.attempts_ > 0 && !exchange.MayRepeat()) {
    exchange.not_again_ = true;
    exchange.lost_ = exchange.error_.data();
    return CURL_PREREQFUNC_ABORT;
  }
  ++exchange.attempts_;
  exchange.size_before_ = exchange.SentSize();
  return CURL_PREREQFUNC_OK;
}

// libcurl sends a request again when a kept connection ends without an answer, also one that
// creates something. That may be repeated only if the server surely has not looked at it.
bool CurlExchange::MayRepeat() const {
  return !IsWriting(request_.method) || SentSize() == size_before_;
}

bool CurlExchange::MayHaveArrived() const { return attempts_ > 0 && SentSize() > size_before_; }

long CurlExchange::SentSize() const {
  long size = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_REQUEST_SIZE, &size);
  return size;
}

}  // namespace millwright::net
