// URLs, as Go's net/url takes them apart.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kube/api/schema_format_net.h"
#include "kube/api/typed_text.h"
#include "kube/cel/functions.h"

namespace millwright::kube::cel {

namespace {

Url TakeApart(std::string_view text) {
  Url url;
  url.text = text;
  const auto cut = [&](char mark) {
    const auto at = text.find(mark);
    if (at == std::string_view::npos) return std::string();
    std::string tail(text.substr(at + 1));
    text = text.substr(0, at);
    return tail;
  };
  url.fragment = cut('#');
  url.query = cut('?');
  const auto colon = text.find(':');
  if (colon != std::string_view::npos && !text.starts_with('/')) {
    url.scheme = text.substr(0, colon);
    std::ranges::transform(url.scheme, url.scheme.begin(),
                           [](unsigned char c) { return std::tolower(c); });
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) {
    text.remove_prefix(2);
    url.host = text.substr(0, text.find('/'));
    text.remove_prefix(url.host.size());
    if (const auto at = url.host.rfind('@'); at != std::string::npos) {
      url.user = url.host.substr(0, at);
      url.host.erase(0, at + 1);
    }
  }
  url.path = text;
  return url;
}

const Url& Get(const Value& value) { return *value.As<std::shared_ptr<const Url>>(); }

// Where the port begins in a host, behind the colon; npos if it has none.
std::size_t PortAt(std::string_view host) {
  const auto colon = host.rfind(':');
  const auto bracket = host.rfind(']');
  if (colon == std::string_view::npos) return colon;
  if (bracket != std::string_view::npos && bracket > colon) return std::string_view::npos;
  return colon + 1;
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// False if it cannot be read.
bool Decode(std::string_view text, std::string& decoded) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      if (i + 2 >= text.size()) return false;
      const int high = HexValue(text[i + 1]);
      const int low = HexValue(text[i + 2]);
      if (high < 0 || low < 0) return false;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return true;
}

Result<Value> Parse(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  if (!IsRequestUri(a[0].text())) {
    return Wrong(
        fmt::format("URL parse error during conversion from string: parse {}: invalid URI "
                    "for request",
                    QuotedText(a[0].text())));
  }
  return Value(std::shared_ptr<const Url>(std::make_shared<Url>(TakeApart(a[0].text()))));
}
Result<Value> IsUrl(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  return Value(IsRequestUri(a[0].text()));
}
Result<Value> GetScheme(Arguments a, Budget&) { return Value(Get(a[0]).scheme); }
Result<Value> GetHost(Arguments a, Budget&) { return Value(Get(a[0]).host); }
Result<Value> GetHostname(Arguments a, Budget&) {
  std::string_view host = Get(a[0]).host;
  if (const auto port = PortAt(host); port != std::string_view::npos)
    host = host.substr(0, port - 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return Value(std::string(host));
}
Result<Value> GetPort(Arguments a, Budget&) {
  const std::string& host = Get(a[0]).host;
  const auto port = PortAt(host);
  return Value(port == std::string_view::npos ? std::string() : host.substr(port));
}
// What a path cannot have as it is; what is escaped already stays so.
std::string EscapedPath(std::string_view path) {
  std::string escaped;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte < 0x7F && !std::string_view("\"<>\\^`{|}").contains(c);
    escaped += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return escaped;
}
Result<Value> GetEscapedPath(Arguments a, Budget&) { return Value(EscapedPath(Get(a[0]).path)); }

Result<Value> GetQuery(Arguments a, Budget& budget) {
  std::string_view query = Get(a[0]).query;
  CHECK_OK(budget.SpendOn(query.size()));
  std::map<std::string, std::vector<Value>> found;
  while (!query.empty()) {
    const auto end = query.find('&');
    const std::string_view part = query.substr(0, end);
    query = end == std::string_view::npos ? "" : query.substr(end + 1);
    if (part.empty() || part.contains(';')) continue;
    const auto equals = part.find('=');
    std::string name;
    std::string value;
    const bool good =
        Decode(part.substr(0, equals), name) &&
        Decode(equals == std::string_view::npos ? "" : part.substr(equals + 1), value);
    if (good) found[name].emplace_back(std::move(value));
  }
  std::vector<std::pair<Value, Value>> entries;
  for (auto& [name, values] : found) entries.emplace_back(name, MakeList(std::move(values)));
  CHECK_OK(budget.Spend(entries.size() * entries.size() / 10 + 1));
  return MakeMap(std::move(entries));
}

}  // namespace

std::span<const Declaration> UrlDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"url(string) -> URL", &Parse},
      {"isURL(string) -> bool", &IsUrl},
      {"URL.getScheme() -> string", &GetScheme},
      {"URL.getHost() -> string", &GetHost},
      {"URL.getHostname() -> string", &GetHostname},
      {"URL.getPort() -> string", &GetPort},
      {"URL.getEscapedPath() -> string", &GetEscapedPath},
      {"URL.getQuery() -> map<string, list<string>>", &GetQuery},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
