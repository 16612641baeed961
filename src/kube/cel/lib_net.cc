// IP addresses and networks, as Go's net/netip reads them.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "kube/api/typed_text.h"
#include "kube/cel/functions.h"

namespace millwright::kube::cel {

namespace {

// None for a zone, or an IPv4 address in the clothes of an IPv6 one.
std::optional<Ip> ParseAddress(const std::string& text) {
  std::array<char, 16> bytes{};
  const bool six = text.contains(':');
  if (text.contains('%')) return std::nullopt;
  if (inet_pton(six ? AF_INET6 : AF_INET, text.c_str(), bytes.data()) != 1) return std::nullopt;
  Ip ip{std::string(bytes.data(), six ? 16 : 4)};
  const std::string mapped("\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
  if (six && ip.bytes.starts_with(mapped)) return std::nullopt;
  return ip;
}

std::string AddressText(const Ip& ip) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(ip.bytes.size() == 16 ? AF_INET6 : AF_INET, ip.bytes.data(), text.data(), text.size());
  return text.data();
}

std::optional<Cidr> ParseNetwork(const std::string& text) {
  const auto slash = text.rfind('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto ip = ParseAddress(text.substr(0, slash));
  const std::string_view digits = std::string_view(text).substr(slash + 1);
  int prefix = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
  const bool read = error == std::errc() && end == digits.data() + digits.size() &&
                    !digits.starts_with('-') && (digits.size() == 1 || digits[0] != '0');
  if (!ip || !read || prefix > static_cast<int>(ip->bytes.size()) * 8) return std::nullopt;
  return Cidr{.ip = *ip, .prefix = prefix};
}

Ip Masked(const Ip& ip, int prefix) {
  Ip masked = ip;
  for (std::size_t i = 0; i < masked.bytes.size(); ++i) {
    const int bits = std::clamp(prefix - static_cast<int>(i) * 8, 0, 8);
    const auto mask = static_cast<unsigned>(0xFF00U >> static_cast<unsigned>(bits)) & 0xFFU;
    masked.bytes[i] = static_cast<char>(static_cast<unsigned char>(masked.bytes[i]) & mask);
  }
  return masked;
}

bool Contains(const Cidr& network, const Ip& ip) {
  if (network.ip.bytes.size() != ip.bytes.size()) return false;
  return Masked(ip, network.prefix).bytes == Masked(network.ip, network.prefix).bytes;
}

bool Contains(const Cidr& network, const Cidr& other) {
  return other.prefix >= network.prefix && Contains(network, other.ip);
}

unsigned At(const Ip& ip, std::size_t index) { return static_cast<unsigned char>(ip.bytes[index]); }
bool IsFour(const Ip& ip) { return ip.bytes.size() == 4; }

bool IsUnspecified(const Ip& ip) { return ip.bytes == std::string(ip.bytes.size(), '\0'); }
bool IsLoopback(const Ip& ip) {
  if (IsFour(ip)) return At(ip, 0) == 127;
  return ip.bytes == std::string(15, '\0') + '\x01';
}
bool IsMulticast(const Ip& ip) {
  return IsFour(ip) ? (At(ip, 0) & 0xF0U) == 0xE0 : At(ip, 0) == 0xFF;
}
bool IsLinkLocalMulticast(const Ip& ip) {
  if (IsFour(ip)) return At(ip, 0) == 224 && At(ip, 1) == 0 && At(ip, 2) == 0;
  return At(ip, 0) == 0xFF && (At(ip, 1) & 0x0FU) == 2;
}
bool IsLinkLocalUnicast(const Ip& ip) {
  if (IsFour(ip)) return At(ip, 0) == 169 && At(ip, 1) == 254;
  return At(ip, 0) == 0xFE && (At(ip, 1) & 0xC0U) == 0x80;
}
bool IsGlobalUnicast(const Ip& ip) {
  const bool broadcast = ip.bytes == "\xff\xff\xff\xff";
  return !IsUnspecified(ip) && !broadcast && !IsLoopback(ip) && !IsMulticast(ip) &&
         !IsLinkLocalUnicast(ip);
}

Failure NoAddress(std::string_view text) {
  return Wrong(
      fmt::format("IP Address {} parse error during conversion from string", QuotedText(text)));
}
Failure NoNetwork(std::string_view text) {
  return Wrong(fmt::format("network address parse error during conversion from string: {}",
                           QuotedText(text)));
}

Result<Value> ToIp(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  const auto ip = ParseAddress(a[0].text());
  if (!ip) return NoAddress(a[0].text());
  return Value(*ip);
}
Result<Value> IsIp(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  return Value(ParseAddress(a[0].text()).has_value());
}
Result<Value> IsCanonical(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  const auto ip = ParseAddress(a[0].text());
  if (!ip) return NoAddress(a[0].text());
  return Value(AddressText(*ip) == a[0].text());
}
Result<Value> Family(Arguments a, Budget&) {
  return Value(std::int64_t{IsFour(a[0].As<Ip>()) ? 4 : 6});
}
template <bool (*Test)(const Ip&)>
Result<Value> TestIp(Arguments a, Budget&) {
  return Value(Test(a[0].As<Ip>()));
}
Result<Value> IpText(Arguments a, Budget&) { return Value(AddressText(a[0].As<Ip>())); }

Result<Value> ToCidr(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  const auto network = ParseNetwork(a[0].text());
  if (!network) return NoNetwork(a[0].text());
  return Value(*network);
}
Result<Value> IsCidrText(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  return Value(ParseNetwork(a[0].text()).has_value());
}
Result<Value> ContainsIp(Arguments a, Budget&) {
  return Value(Contains(a[0].As<Cidr>(), a[1].As<Ip>()));
}
Result<Value> ContainsIpText(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[1].text().size()));
  const auto ip = ParseAddress(a[1].text());
  if (!ip) return NoAddress(a[1].text());
  return Value(Contains(a[0].As<Cidr>(), *ip));
}
Result<Value> ContainsCidr(Arguments a, Budget&) {
  return Value(Contains(a[0].As<Cidr>(), a[1].As<Cidr>()));
}
Result<Value> ContainsCidrText(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[1].text().size()));
  const auto network = ParseNetwork(a[1].text());
  if (!network) return NoNetwork(a[1].text());
  return Value(Contains(a[0].As<Cidr>(), *network));
}
Result<Value> IpOfCidr(Arguments a, Budget&) { return Value(a[0].As<Cidr>().ip); }
Result<Value> PrefixLength(Arguments a, Budget&) {
  return Value(std::int64_t{a[0].As<Cidr>().prefix});
}
Result<Value> MaskedCidr(Arguments a, Budget&) {
  Cidr network = a[0].As<Cidr>();
  network.ip = Masked(network.ip, network.prefix);
  return Value(network);
}
Result<Value> CidrText(Arguments a, Budget&) {
  const Cidr& network = a[0].As<Cidr>();
  return Value(fmt::format("{}/{}", AddressText(network.ip), network.prefix));
}

}  // namespace

std::span<const Declaration> NetDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"ip(string) -> IP", &ToIp},
      {"isIP(string) -> bool", &IsIp},
      {"ip.isCanonical(string) -> bool", &IsCanonical},
      {"IP.family() -> int", &Family},
      {"IP.isUnspecified() -> bool", &TestIp<&IsUnspecified>},
      {"IP.isLoopback() -> bool", &TestIp<&IsLoopback>},
      {"IP.isLinkLocalMulticast() -> bool", &TestIp<&IsLinkLocalMulticast>},
      {"IP.isLinkLocalUnicast() -> bool", &TestIp<&IsLinkLocalUnicast>},
      {"IP.isGlobalUnicast() -> bool", &TestIp<&IsGlobalUnicast>},
      {"string(IP) -> string", &IpText},
      {"cidr(string) -> CIDR", &ToCidr},
      {"isCIDR(string) -> bool", &IsCidrText},
      {"CIDR.containsIP(IP) -> bool", &ContainsIp},
      {"CIDR.containsIP(string) -> bool", &ContainsIpText},
      {"CIDR.containsCIDR(CIDR) -> bool", &ContainsCidr},
      {"CIDR.containsCIDR(string) -> bool", &ContainsCidrText},
      {"CIDR.ip() -> IP", &IpOfCidr},
      {"CIDR.prefixLength() -> int", &PrefixLength},
      {"CIDR.masked() -> CIDR", &MaskedCidr},
      {"string(CIDR) -> string", &CidrText},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
