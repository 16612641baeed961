// A cache of this test's ConfigMaps, with or without a fault proxy before the server.
#pragma once

#include "kube/informer/informer.h"
#include "tests/e2e/proxied.h"
#include "tests/sample/copier.h"

namespace millwright::e2e {

class InformerE2e : public ProxiedTest {
 protected:
  using ConfigMaps = kube::Informer<sample::ConfigMap>;

  ConfigMaps Make(kube::Client& client, kube::ReflectorOptions options = {});

  // Sets the one value of a ConfigMap.
  void Patch(kube::Client& client, const std::string& name, const std::string& value);

  // What the cache has for it; empty if there is none.
  std::string Value(const ConfigMaps& informer, const std::string& name) const;

  // Name and version of each one in the cache, and of each one at the server.
  static std::map<std::string, std::string> Cached(const ConfigMaps& informer);
  std::map<std::string, std::string> AtTheServer(kube::Client& client);
};

}  // namespace millwright::e2e
