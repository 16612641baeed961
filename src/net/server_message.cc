#include "net/server_message.h"

#include <fmt/format.h>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace millwright::net {

namespace {

bool IsToken(std::string_view text) {
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool IsOurs(std::string_view name) {
  return std::ranges::any_of(
      std::to_array<std::string_view>(
          {"Connection", "Content-Length", "Date", "Keep-Alive", "Transfer-Encoding"}),
      [&](std::string_view ours) { return boost::beast::iequals(name, ours); });
}

void AppendField(std::string& head, std::string_view name, std::string_view value) {
  head += name;
  head += ": ";
  std::ranges::replace_copy_if(
      value, std::back_inserter(head), [](char c) { return c == '\r' || c == '\n' || c == '\0'; },
      ' ');
  head += "\r\n";
}

void AppendFraming(std::string& head, int status, const Framing& framing) {
  if (framing.body == Framing::Body::kChunked && MayHaveBody(status)) {
    AppendField(head, "Transfer-Encoding", "chunked");
  } else if (framing.body == Framing::Body::kLength && MayHaveBody(status)) {
    AppendField(head, "Content-Length", std::to_string(framing.length));
  }
  if (!framing.keep_alive) {
    AppendField(head, "Connection", "close");
  } else if (framing.http_1_0) {
    AppendField(head, "Connection", "keep-alive");
  }
}

}  // namespace

bool MayHaveBody(int status) { return status >= 200 && status != 204 && status != 304; }

std::string ComposeHead(const HttpResponse& response, const Framing& framing, WallTime now) {
  const auto reason =
      boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(response.status));
  std::string head = fmt::format("HTTP/1.{} {} {}\r\n", framing.http_1_0 ? 0 : 1, response.status,
                                 std::string_view(reason.data(), reason.size()));
  AppendField(head, "Date", FormatHttpDate(now));
  for (const auto& [name, value] : response.headers) {
    if (IsToken(name) && !IsOurs(name)) AppendField(head, name, value);
  }
  AppendFraming(head, response.status, framing);
  head += "\r\n";
  return head;
}

HttpResponse PlainAnswer(int status, std::string_view text) {
  return {.status = status,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
          .body = std::string(text) + "\n"};
}

std::string ComposeChunk(std::string piece) {
  piece.insert(0, fmt::format("{:x}\r\n", piece.size()));
  piece += "\r\n";
  return piece;
}

std::string FormatHttpDate(WallTime time) {
  using std::chrono::floor;
  constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(floor<std::chrono::seconds>(time - day));
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday(day).c_encoding()],
      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
      static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
      clock.seconds().count());
}

}  // namespace millwright::net
