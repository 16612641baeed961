// The Cloud port: where instances come from. One implementation for each cloud; controllers know
// nothing else of it.
//
// Every call is idempotent and may be repeated after a crash or a lost answer. Failures carry a
// CloudFailure with one of the canonical codes; nobody reads message texts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/secret.h"
#include "base/task.h"
#include "base/time.h"
#include "core/lifecycle/cloud_code.h"

namespace millwright::providers {

// Whom a call is about. Which of these finds the instance is the provider's business: the recorded
// id, a tag with the UID, or an exact name together with the cluster's tag.
struct MachineIdentity {
  Uid uid;  // empty for an orphan: its machine is gone
  std::string name;
  std::string namespace_;
  std::string instance;  // the provider's id as recorded; empty: none yet

  friend bool operator==(const MachineIdentity&, const MachineIdentity&) = default;
};

// How instances of a class are made. Shared by all calls of the class.
struct InstanceClass {
  std::string name;
  std::string provider_spec;                  // JSON text, opaque to everyone but the provider
  std::map<std::string, SecretText> secrets;  // credentials
};

struct Address {
  std::string type;  // "InternalIP", "Hostname", ...
  std::string address;

  friend auto operator<=>(const Address&, const Address&) = default;
};

struct Instance {
  std::string id;       // provider id, unique in the cloud
  std::string node;     // the name that its node will have
  std::string machine;  // the machine's name it was made for, as the cloud remembers it
  Uid machine_uid;      // likewise, where the cloud can remember it
  std::vector<Address> addresses;
  std::optional<WallTime> made;
  bool needs_initialize = false;        // it exists, and Initialize has not been done
  std::optional<Duration> pending;      // not there yet: look again after so long
  std::optional<std::string> remember;  // to be kept with the machine and handed in again

  friend bool operator==(const Instance&, const Instance&) = default;
};

struct CreateRequest {
  MachineIdentity machine;
  SecretText user_data;
  std::string remembered;  // what the provider asked to keep
};

// What a failure of a call carries (Error::detail<CloudFailure>()). A failure without one cannot be
// read: the code is unknown, and so is whether anything happened.
class CloudFailure final : public ErrorDetail {
 public:
  explicit CloudFailure(core::CloudCode code, std::optional<std::string> remember = std::nullopt)
      : code(code), remember(std::move(remember)) {}

  const core::CloudCode code;
  const std::optional<std::string> remember;
};

// The failure of a call, with its code.
Failure FailCloud(core::CloudCode code, std::string message);

// The code of an error; none: it has none.
std::optional<core::CloudCode> CodeOf(const Error& error);

struct Capabilities {
  bool list = true;
  bool initialize = false;
  bool volume_ids = false;
};

class Cloud {
 public:
  virtual ~Cloud() = default;

  virtual Capabilities capabilities() const { return {}; }

  // Whether the provider spec makes sense, without asking the cloud. The error is for people.
  virtual Result<void> Validate(const InstanceClass& instance_class) const = 0;

  // Makes the instance, or returns the one that this machine has already: never a second one.
  virtual Task<Result<Instance>> Create(std::shared_ptr<const InstanceClass> instance_class,
                                        CreateRequest request) = 0;

  // kNotFound if there is none; kOutOfRange if there are several.
  virtual Task<Result<Instance>> Get(std::shared_ptr<const InstanceClass> instance_class,
                                     MachineIdentity machine) = 0;

  // What is left to do for an instance that exists. kUnimplemented without the capability.
  virtual Task<Result<Instance>> Initialize(std::shared_ptr<const InstanceClass> instance_class,
                                            CreateRequest request);

  // Removes the instance and all that was made with it. Success if nothing is there.
  virtual Task<Result<void>> Remove(std::shared_ptr<const InstanceClass> instance_class,
                                    MachineIdentity machine) = 0;

  // All instances (and leftovers) of this cluster and class. Complete, or an error.
  virtual Task<Result<std::vector<Instance>>> List(
      std::shared_ptr<const InstanceClass> instance_class) = 0;

  // The cloud's ids of persistent volumes, given as the JSON text of each PersistentVolume's spec;
  // empty where the volume is none of this cloud's. kUnimplemented without the capability.
  virtual Task<Result<std::vector<std::string>>> VolumeIds(
      std::shared_ptr<const InstanceClass> instance_class, std::vector<std::string> volumes);
};

// The clouds of a process by the names under which machine classes ask for them.
class CloudRegistry {
 public:
  void Add(std::string provider, Cloud& cloud) {
    clouds_.insert_or_assign(std::move(provider), &cloud);
  }

  // The one of that name; with a single cloud registered as default, that one for any name.
  // kInvalid, naming those there are, else.
  Result<Cloud*> Find(std::string_view provider) const;

  // Serves every provider name that nobody else serves: a provider's own process serves its
  // classes whatever they are called.
  void SetDefault(Cloud& cloud) { default_ = &cloud; }

 private:
  std::map<std::string, Cloud*, std::less<>> clouds_;
  Cloud* default_ = nullptr;
};

// Brings a node into, and takes it out of, the cluster that machines join, for clouds whose
// instances have no node agent of their own.
class NodeJoiner {
 public:
  virtual ~NodeJoiner() = default;

  struct Node {
    std::string name;
    std::string provider_id;
    std::map<std::string, std::string> labels;
    std::map<std::string, std::string> capacity;  // resource -> quantity
  };

  // Registers the node as ready; again is fine.
  virtual Task<Result<void>> Join(Node node) = 0;
  // Reports the node's readiness as a kubelet that stopped or came back would be seen.
  virtual Task<Result<void>> SetReady(std::string name, bool ready, std::string reason) = 0;
};

}  // namespace millwright::providers
