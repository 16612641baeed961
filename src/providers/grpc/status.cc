#include "providers/grpc/status.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <charconv>

#include "providers/grpc/messages.h"

namespace millwright::providers::grpc {

using core::CloudCode;

namespace {

constexpr std::size_t kHead = 5;  // a byte that says whether it is compressed, four of size

// What people are shown of a provider's words; they end up in objects.
constexpr std::size_t kMaxText = 2048;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// "grpc-message" is percent-encoded; what is not is taken as it is.
std::string PercentDecoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded = text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
                       HexDigit(text[i + 2]) >= 0;
    if (!coded) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
    i += 2;
  }
  return plain;
}

// Fit to be written into an object.
std::string Presentable(std::string text) {
  if (!simdjson::validate_utf8(text)) {
    for (char& c : text) {
      if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    }
  }
  if (text.size() <= kMaxText) return text;
  std::size_t end = kMaxText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end) + "...";
}

int Base64Digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

// Fields whose names end in "-bin", with or without padding. Empty if it is none.
std::string Base64Decoded(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  unsigned held = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = Base64Digit(c);
    if (digit < 0) return {};
    held = (held << 6U | static_cast<unsigned>(digit)) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> static_cast<unsigned>(bits) & 0xFFU);
  }
  return bytes;
}

CloudCode CodeOfHttp(int status) {
  switch (status) {
    case 401: return CloudCode::kUnauthenticated;
    case 403: return CloudCode::kPermissionDenied;
    case 404:
    case 429:
    case 502:
    case 503:
    case 504: return CloudCode::kUnavailable;
    default: return CloudCode::kUnknown;
  }
}

CloudCode CodeOfGrpc(std::string_view text) {
  int number = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  const bool known =
      whole && number >= 0 && number <= static_cast<int>(CloudCode::kUnauthenticated);
  return known ? static_cast<CloudCode>(number) : CloudCode::kUnknown;
}

Failure FailureOf(CloudCode code, const net::HttpResponse& answer) {
  std::string text = Presentable(PercentDecoded(answer.headers.Find("grpc-message").value_or("")));
  if (text.empty()) text = core::ToString(code);
  const Failure plain = FailCloud(code, std::move(text));
  const auto details = answer.headers.Find("grpc-status-details-bin");
  if (!details) return plain;
  return Failure(Error(plain.error())
                     .WithDetail(std::make_shared<CloudFailure>(
                         code, DecodeRemembered(Base64Decoded(*details)))));
}

Result<std::string> Unframed(const std::string& body) {
  const auto broken = [](std::string_view why) {
    return FailCloud(CloudCode::kInternal, fmt::format("the provider's answer is {}", why));
  };
  if (body.size() < kHead) return broken("no message");
  if (body[0] != 0) return broken("compressed, which was not asked for");
  std::size_t size = 0;
  for (std::size_t i = 1; i < kHead; ++i) size = size << 8U | static_cast<unsigned char>(body[i]);
  if (size != body.size() - kHead) return broken("not one message");
  return body.substr(kHead);
}

void Erase(std::string& text, const std::string& secret) {
  // Shorter ones are words that occur anywhere.
  if (secret.size() < 6) return;
  for (auto at = text.find(secret); at != text.npos; at = text.find(secret, at)) {
    text.replace(at, secret.size(), "***");
  }
}

}  // namespace

std::string Frame(std::string_view message) {
  std::string framed(1, '\0');
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    framed += static_cast<char>(message.size() >> shift & 0xFFU);
  }
  framed += message;
  return framed;
}

std::string TimeoutText(Duration timeout) {
  // At most eight digits.
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  if (ms < 100'000'000) return fmt::format("{}m", ms);
  return fmt::format("{}S", std::chrono::ceil<std::chrono::seconds>(timeout).count());
}

Result<std::string> ReadAnswer(const net::HttpResponse& answer) {
  if (answer.status != 200) {
    return FailCloud(
        CodeOfHttp(answer.status),
        fmt::format("no provider answers there, but a server that says {}", answer.status));
  }
  const auto type = answer.headers.Find("content-type");
  if (!type || !type->starts_with("application/grpc")) {
    return FailCloud(CloudCode::kUnavailable, "no provider answers there: it does not speak gRPC");
  }
  const auto status = answer.headers.Find("grpc-status");
  if (!status) return FailCloud(CloudCode::kUnknown, "the provider's answer has no end");
  const CloudCode code = CodeOfGrpc(*status);
  if (code != CloudCode::kOk) return FailureOf(code, answer);
  return Unframed(answer.body);
}

Failure Unreachable(const Error& why, bool timed_out) {
  if (why.kind() == ErrorKind::kCancelled) return FailCloud(CloudCode::kCanceled, why.message());
  const CloudCode code = timed_out ? CloudCode::kDeadlineExceeded : CloudCode::kUnavailable;
  return FailCloud(code, why.message());
}

std::string WithoutSecrets(std::string text, const std::map<std::string, SecretText>& secrets,
                           const SecretText& user_data) {
  for (const auto& [key, value] : secrets) Erase(text, value.Reveal());
  Erase(text, user_data.Reveal());
  return text;
}

}  // namespace millwright::providers::grpc
