// The messages of millwright/provider/v1/provider.proto, from and to our own types. Pure.
//
// Answers come from outside: anything that is not as the protocol has it is kInternal, and what we
// do not know is skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/cloud.h"

namespace millwright::providers::grpc {

// A class as a request names it.
struct ClassCall {
  std::string_view provider;  // the name that we know the provider by
  const InstanceClass& instance_class;
};

std::string EncodeCreate(const ClassCall& of, const CreateRequest& request);    // and Initialize
std::string EncodeDelete(const ClassCall& of, const MachineIdentity& machine);  // and GetStatus
std::string EncodeList(const ClassCall& of, std::uint32_t page_size, std::string_view page_token);
std::string EncodeGetVolumeIds(const ClassCall& of, const std::vector<std::string>& specs);

struct ProviderInfo {
  std::string name;
  std::string version;
  std::vector<std::string> providers;  // that it serves; none: any
};
Result<ProviderInfo> DecodeInfo(std::string_view message);

struct Abilities {
  bool initialize = false;
  bool status = false;
  bool list = false;
  bool volume_ids = false;

  friend bool operator==(const Abilities&, const Abilities&) = default;
};
Result<Abilities> DecodeAbilities(std::string_view message);

// With `pending` set if there is none yet; else it has an id. A node without a name is called as
// the machine is.
Result<Instance> DecodeCreated(std::string_view message, const std::string& machine);
// Of Initialize and GetStatus.
Result<Instance> DecodeInstance(std::string_view message, const std::string& machine);

// Whether to ask again, and when; none: it is gone.
Result<std::optional<Duration>> DecodeDeleted(std::string_view message);

struct InstancePage {
  std::vector<Instance> instances;
  std::string next;  // empty: that was all
};
Result<InstancePage> DecodePage(std::string_view message);

Result<std::vector<std::string>> DecodeVolumeIds(std::string_view message);

// What the details of a status (a google.rpc.Status) ask to keep with the machine. None also if
// they cannot be read: they say nothing that anybody has to know.
std::optional<std::string> DecodeRemembered(std::string_view status_details);

}  // namespace millwright::providers::grpc
