#include "net/proxy_environment.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <initializer_list>

namespace millwright::net {

namespace {

namespace ip = boost::asio::ip;
using boost::system::error_code;

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string FirstOf(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::string value = environment(name);
    if (!value.empty()) return value;
  }
  return "";
}

template <class Network>
bool IsIn(const Network& network, const auto& address) {
  const auto hosts = Network(address, network.prefix_length());
  return hosts.canonical() == network.canonical();
}

bool AddressMatches(const ip::address& host, const std::string& entry) {
  error_code error;
  if (!entry.contains('/')) {
    const auto address = ip::make_address(entry, error);
    return !error && address == host;
  }
  if (host.is_v4()) {
    const auto network = ip::make_network_v4(entry, error);
    return !error && IsIn(network, host.to_v4());
  }
  const auto network = ip::make_network_v6(entry, error);
  return !error && IsIn(network, host.to_v6());
}

bool NameMatches(std::string_view host, std::string_view entry) {
  while (entry.starts_with('.')) entry.remove_prefix(1);
  while (entry.ends_with('.')) entry.remove_suffix(1);
  while (host.ends_with('.')) host.remove_suffix(1);
  if (entry.empty() || !host.ends_with(entry)) return false;
  return host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.';
}

}  // namespace

bool IsExemptFromProxy(std::string_view no_proxy, const std::string& host) {
  const std::string list = Lower(no_proxy);
  const std::string lower_host = Lower(host);
  error_code not_an_address;
  const auto address = ip::make_address(host, not_an_address);
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t end = std::min(list.find_first_of(", \t", from), list.size());
    const std::string entry = list.substr(from, end - from);
    from = end + 1;
    if (entry == "*") return true;
    if (not_an_address ? NameMatches(lower_host, entry) : AddressMatches(address, entry)) {
      return true;
    }
  }
  return false;
}

bool EnvironmentHasProxyFor(const std::string& host, const Environment& environment) {
  const std::string proxy =
      FirstOf(environment, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
  if (proxy.empty()) return false;
  return !IsExemptFromProxy(FirstOf(environment, {"no_proxy", "NO_PROXY"}), host);
}

bool EnvironmentHasProxyFor(const std::string& host) {
  return EnvironmentHasProxyFor(host, [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  });
}

}  // namespace millwright::net
