// Our own kinds as their controllers see them.
#pragma once

#include <string>

#include "dialects/capi/records.h"
#include "kube/projection/json_reader.h"

namespace millwright::controllers::supply {

namespace capi = dialects::capi;

struct InstanceRecord : capi::Header {
  std::string provider;
  kube::SharedText provider_spec;  // JSON
  std::string secret;              // with the provider's credentials; empty: none
  std::string provider_id;
  bool provisioned = false;
  std::string remembered;  // for the provider
  capi::Conditions conditions;

  friend bool operator==(const InstanceRecord&, const InstanceRecord&) = default;
};

// Whom the cloud made it for: this object, or the one that this is a copy of.
Uid MadeFor(const InstanceRecord& instance);

// It was asked for, and nobody has heard of it yet.
bool IsInDoubt(const InstanceRecord& instance);

struct BootstrapRecord : capi::Header {
  kube::SharedText user_data;
  std::string token_groups;
  bool data_created = false;
  std::string data_secret;
  capi::Conditions conditions;

  friend bool operator==(const BootstrapRecord&, const BootstrapRecord&) = default;
};

// A cluster's infrastructure, or its control plane.
struct ClusterPartRecord : capi::Header {
  std::string version;
  std::string shown_version;
  bool done = false;  // provisioned, or initialized

  friend bool operator==(const ClusterPartRecord&, const ClusterPartRecord&) = default;
};

// Texts that many objects have in common are kept once.
class Reader {
 public:
  Result<InstanceRecord> Instance(kube::JsonObject object);
  Result<BootstrapRecord> Bootstrap(kube::JsonObject object);
  Result<ClusterPartRecord> ClusterPart(kube::JsonObject object);

 private:
  kube::TextPool texts_;
};

}  // namespace millwright::controllers::supply
