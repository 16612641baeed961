#include "cli/provider_flags.h"

#include <fmt/format.h>

#include <algorithm>

namespace millwright::cli {

using providers::grpc::ProviderAddress;
using providers::grpc::RemoteProvider;

namespace {

constexpr std::string_view kOurs[] = {"local", "simulated"};

std::vector<std::string> NamesOf(const ProviderFlags& flags) {
  std::vector<std::string> names(std::begin(kOurs), std::end(kOurs));
  for (const RemoteProvider::Options& remote : flags.remote) names.push_back(remote.address.name);
  return names;
}

bool IsThere(const ProviderFlags& flags, std::string_view name) {
  const auto names = NamesOf(flags);
  return std::ranges::find(names, name) != names.end();
}

Result<void> AddProvider(const std::string& text, ProviderFlags& flags) {
  auto address = providers::grpc::ParseProviderAddress(text);
  if (!address) return Failure(std::move(address).error().Wrap("--provider"));
  if (IsThere(flags, address->name)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("--provider: there is a provider '{}' already", address->name));
  }
  flags.remote.push_back({.address = *std::move(address)});
  return Ok();
}

Result<void> AddCertificates(const std::string& text, ProviderFlags& flags) {
  const auto equals = text.find('=');
  if (equals == text.npos) {
    for (RemoteProvider::Options& remote : flags.remote) {
      if (remote.certificates.empty()) remote.certificates = text;
    }
    return Ok();
  }
  const std::string name = text.substr(0, equals);
  const auto found = std::ranges::find_if(
      flags.remote, [&](const auto& remote) { return remote.address.name == name; });
  if (found == flags.remote.end()) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("--provider-certs: there is no --provider {}=...", name));
  }
  found->certificates = text.substr(equals + 1);
  return Ok();
}

}  // namespace

Result<ProviderFlags> ReadProviderFlags(const std::vector<std::string>& providers,
                                        const std::vector<std::string>& certificates) {
  ProviderFlags flags;
  for (const std::string& text : providers) {
    if (!text.contains('=')) {
      flags.fallback = text;
    } else {
      CHECK_OK(AddProvider(text, flags));
    }
  }
  for (const std::string& text : certificates) CHECK_OK(AddCertificates(text, flags));
  if (flags.fallback.empty() || IsThere(flags, flags.fallback)) return flags;
  return Fail(ErrorKind::kInvalid, fmt::format("--provider: no provider '{}'; there is: {}",
                                               flags.fallback, fmt::join(NamesOf(flags), ", ")));
}

Result<RemoteProviders> MakeProviders(const Process& process, const ProviderFlags& flags) {
  RemoteProviders made;
  for (const RemoteProvider::Options& options : flags.remote) {
    TRY(auto provider, RemoteProvider::Create(process.executor, process.clock,
                                              process.log.For("providers.grpc"), options));
    made.push_back(std::move(provider));
  }
  return made;
}

}  // namespace millwright::cli
