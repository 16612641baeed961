#include "base/log_render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

namespace millwright {

namespace {

// Columns wide enough for most modules and messages; longer ones push the rest to the right.
constexpr std::size_t kModuleWidth = 20;
constexpr std::size_t kMessageWidth = 36;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

struct Rune {
  char32_t value;
  std::size_t length;  // 0: the byte here does not begin a character of UTF-8
};

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
Rune DecodeRune(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {0, 0};
  char32_t value = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {0, 0};
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return {0, 0};
  return {value, length};
}

// The two sets of control characters, and DEL between them: a terminal obeys both.
bool IsControl(char32_t rune) { return rune < 0x20 || (rune >= 0x7F && rune < 0xA0); }

void AppendRune(std::string& out, Rune rune, std::string_view bytes) {
  switch (rune.value) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (IsControl(rune.value)) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(rune.value));
  } else {
    out += bytes;
  }
}

// A JSON string, which is also how text is quoted for people.
void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    if (rune.length == 0) {
      out += kReplacement;
      text.remove_prefix(1);
    } else {
      AppendRune(out, rune, text.substr(0, rune.length));
      text.remove_prefix(rune.length);
    }
  }
  out += '"';
}

bool IsPlainWord(std::string_view text) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_-./:@+%,").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, plain);
}

void AppendWord(std::string& out, std::string_view text) {
  if (IsPlainWord(text)) {
    out += text;
  } else {
    AppendQuoted(out, text);
  }
}

// Writes a value; `append_text` decides how text is quoted.
struct ValueWriter {
  std::string& out;
  void (*append_text)(std::string& out, std::string_view text);

  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { out += std::to_string(value); }
  void operator()(std::uint64_t value) const { out += std::to_string(value); }
  void operator()(double value) const {
    if (std::isfinite(value)) {
      fmt::format_to(std::back_inserter(out), "{}", value);
    } else {
      append_text(out, std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
    }
  }
  void operator()(std::string_view value) const { append_text(out, value); }
  void operator()(Duration value) const { append_text(out, FormatDuration(value)); }
  void operator()(WallTime value) const { append_text(out, FormatMicroTime(value)); }
};

std::string_view ShortName(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "DEBUG";
    case LogLevel::kInfo: return "INFO ";
    case LogLevel::kWarning: return "WARN ";
    case LogLevel::kError: return "ERROR";
  }
  return "?    ";
}

std::string_view Colour(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return kDim;
    case LogLevel::kInfo: return "\x1b[32m";
    case LogLevel::kWarning: return "\x1b[33m";
    case LogLevel::kError: return "\x1b[31m";
  }
  return kPlain;
}

void AppendColumn(std::string& out, std::string_view text, std::size_t width) {
  out += text;
  if (text.size() < width) out.append(width - text.size(), ' ');
}

void AppendColoured(std::string& out, std::string_view text, std::string_view colour) {
  out += colour;
  out += text;
  if (!colour.empty()) out += kPlain;
}

}  // namespace

std::string RenderText(const LogRecord& record, bool colour) {
  std::string out;
  out.reserve(256);
  AppendColoured(out, FormatMicroTime(record.time), colour ? kDim : "");
  out += ' ';
  AppendColoured(out, ShortName(record.level), colour ? Colour(record.level) : "");
  out += ' ';
  AppendColumn(out, record.module, kModuleWidth);
  out += ' ';
  AppendColumn(out, record.message, record.fields.empty() ? 0 : kMessageWidth);
  for (const LogField& field : record.fields) {
    out += ' ';
    AppendColoured(out, std::string(field.key.text()) + "=", colour ? kDim : "");
    std::visit(ValueWriter{out, AppendWord}, field.value.value());
  }
  out += '\n';
  return out;
}

std::string RenderJson(const LogRecord& record) {
  std::string out;
  out.reserve(256);
  out += R"({"time":")" + FormatMicroTime(record.time) + R"(","level":")";
  out += ToString(record.level);
  out += R"(","module":)";
  AppendQuoted(out, record.module);
  out += R"(,"msg":)";
  AppendQuoted(out, record.message);
  for (const LogField& field : record.fields) {
    out += ",\"";
    out += field.key.text();
    out += "\":";
    std::visit(ValueWriter{out, AppendQuoted}, field.value.value());
  }
  out += "}\n";
  return out;
}

}  // namespace millwright
