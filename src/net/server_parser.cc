#include "net/server_parser.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/verb.hpp>

#include <utility>

namespace millwright::net {

namespace {

namespace http = boost::beast::http;
using boost::beast::iequals;
using boost::system::error_code;
using Fields = http::request_header<>;

using Verdict = std::expected<void, Rejection>;

std::unexpected<Rejection> Reject(int status, std::string_view reason) {
  return std::unexpected(Rejection{status, reason});
}

std::unexpected<Rejection> RejectFor(const error_code& error) {
  if (error == http::error::body_limit) return Reject(413, "request body too large");
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return Reject(431, "request head too large");
  }
  return Reject(400, "malformed request");
}

bool HasToken(const Fields& fields, http::field name, boost::beast::string_view token) {
  const auto range = fields.equal_range(name);
  for (auto it = range.first; it != range.second; ++it) {
    if (http::token_list(it->value()).exists(token)) return true;
  }
  return false;
}

// A new protocol is refused, but for the offer of HTTP/2 in clear text, with which curl begins and
// which it expects to see ignored.
bool WantsOtherProtocol(const Fields& fields) {
  return HasToken(fields, http::field::connection, "upgrade") &&
         !HasToken(fields, http::field::upgrade, "h2c");
}

// What Beast leaves to its user.
Verdict CheckHeader(const Fields& fields) {
  const bool http_1_1 = fields.version() == 11;
  if (http_1_1 && fields.count(http::field::host) != 1) {
    return Reject(400, "want exactly one Host field");
  }
  // With any other coding the end of the body is a guess, which is how requests get smuggled.
  if (fields.count(http::field::transfer_encoding) > 0 &&
      !(http_1_1 && iequals(fields[http::field::transfer_encoding], "chunked"))) {
    return Reject(501, "unknown transfer coding");
  }
  if (http_1_1 && fields.count(http::field::expect) > 0 &&
      !iequals(fields[http::field::expect], "100-continue")) {
    return Reject(417, "unknown expectation");
  }
  if (WantsOtherProtocol(fields)) return Reject(400, "this server does not upgrade connections");
  return {};
}

// Browsers and old clients may put empty lines between requests (RFC 9112, 2.2).
void SkipEmptyLines(std::string& bytes) {
  std::size_t skipped = 0;
  while (bytes.compare(skipped, 2, "\r\n") == 0) skipped += 2;
  bytes.erase(0, skipped);
}

}  // namespace

struct RequestParser::State {
  http::request_parser<http::string_body> parser;
  std::size_t head_limit = 0;
  std::size_t head_size = 0;
  IncomingRequest request;
  bool expects_continue = false;
};

RequestParser::RequestParser(const ServerLimits& limits) : state_(std::make_unique<State>()) {
  state_->parser.header_limit(static_cast<std::uint32_t>(limits.header_bytes));
  state_->parser.body_limit(limits.body_bytes);
  state_->head_limit = limits.header_bytes;
}

RequestParser::~RequestParser() = default;
RequestParser::RequestParser(RequestParser&&) noexcept = default;
RequestParser& RequestParser::operator=(RequestParser&&) noexcept = default;

bool RequestParser::has_begun() const { return state_->parser.got_some(); }
bool RequestParser::is_header_done() const { return state_->parser.is_header_done(); }
bool RequestParser::is_done() const { return state_->parser.is_done(); }
bool RequestParser::expects_continue() const { return state_->expects_continue; }

Verdict RequestParser::Feed(std::string& bytes) {
  auto& parser = state_->parser;
  if (!parser.got_some()) {
    SkipEmptyLines(bytes);
    if (bytes == "\r") return {};  // half an empty line, perhaps
  }
  while (!bytes.empty() && !parser.is_done()) {
    const bool in_head = !parser.is_header_done();
    error_code error;
    const std::size_t used = parser.put(boost::asio::buffer(bytes), error);
    bytes.erase(0, used);
    if (error && error != http::error::need_more) return RejectFor(error);
    if (in_head) {
      if (Verdict verdict = AfterHead(used, bytes.size()); !verdict) return verdict;
    } else if (error && bytes.size() > state_->head_limit) {
      // Chunk headers and trailers are left until they are whole; nobody needs long ones.
      return Reject(400, "malformed request body");
    }
    if (error) break;  // more bytes are needed
  }
  return {};
}

Verdict RequestParser::AfterHead(std::size_t used, std::size_t left) {
  const bool done = state_->parser.is_header_done();
  // Beast limits what is parsed at a time, not the sum.
  state_->head_size += used;
  if (state_->head_size + (done ? 0 : left) > state_->head_limit) {
    return Reject(431, "request head too large");
  }
  return done ? FinishHead() : Verdict();
}

// The head is taken now: Beast adds the fields of a chunked body's trailer to those of the head,
// where a client could slip in what somebody in between has filtered.
Verdict RequestParser::FinishHead() {
  const Fields& fields = state_->parser.get().base();
  if (Verdict verdict = CheckHeader(fields); !verdict) return verdict;
  IncomingRequest& request = state_->request;
  request.http.method = fields.method_string();
  request.http.target = fields.target();
  for (const auto& field : fields) {
    request.http.headers.Add(field.name_string(), field.value());
  }
  request.http_1_0 = fields.version() == 10;
  request.keep_alive = state_->parser.keep_alive();
  state_->expects_continue = !request.http_1_0 && fields.count(http::field::expect) > 0;
  state_->parser.eager(true);
  return {};
}

IncomingRequest RequestParser::Take() {
  state_->request.http.body = std::move(state_->parser.get().body());
  return std::move(state_->request);
}

}  // namespace millwright::net
