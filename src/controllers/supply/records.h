// Our own kinds as their controllers see them.
#pragma once

#include <string>

#include "dialects/capi/read.h"
#include "dialects/capi/records.h"
#include "kube/projection/json_reader.h"

namespace millwright::controllers::supply {

namespace capi = dialects::capi;

// What the contracts say of them is read by the loops on contracts from the same records.
struct InstanceRecord : capi::ExternalRecord {
  std::string provider;
  kube::SharedText provider_spec;  // JSON
  std::string secret;              // with the provider's credentials; empty: none
  std::string remembered;          // for the provider
  capi::Conditions conditions;

  friend bool operator==(const InstanceRecord&, const InstanceRecord&) = default;
};

// Whom the cloud made it for: this object, or the one that this is a copy of.
Uid MadeFor(const InstanceRecord& instance);

// It was asked for, and nobody has heard of it yet.
bool IsInDoubt(const InstanceRecord& instance);

struct BootstrapRecord : capi::ExternalRecord {
  kube::SharedText user_data;
  std::string token_groups;
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

class Reader {
 public:
  // Texts that many objects have in common are kept once, there.
  explicit Reader(capi::Reader& contract) : contract_(contract) {}

  Result<InstanceRecord> Instance(kube::JsonObject object);
  Result<BootstrapRecord> Bootstrap(kube::JsonObject object);
  Result<ClusterPartRecord> ClusterPart(kube::JsonObject object);

 private:
  capi::Reader& contract_;
};

}  // namespace millwright::controllers::supply
