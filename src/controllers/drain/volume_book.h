// Which volumes are behind the claims of pods. Looked up once; a claim may be gone before its
// volume has left the node.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "kube/client/client.h"
#include "providers/cloud.h"

namespace millwright::controllers {

struct Volume {
  std::string name;      // of the PersistentVolume; empty: nothing is bound
  std::string id;        // part of the name that a node gives it; empty: never attached, or foreign
  bool guessed = false;  // the cloud did not say so: it may be of a kind that is not attached

  friend bool operator==(const Volume&, const Volume&) = default;
};

class VolumeBook {
 public:
  VolumeBook(Executor executor, kube::Client& client)
      : executor_(std::move(executor)), client_(client) {}

  // Finds out about claims ("namespace/name") that are not known yet. What cannot be read now stays
  // unknown, and the next call tries again. Without a cloud, or if it cannot say, ids are guessed.
  Task<void> Learn(std::set<std::string> claims, providers::Cloud* cloud,
                   std::shared_ptr<const providers::InstanceClass> instance_class);

  // Null: not known.
  const Volume* Find(const std::string& claim) const;

 private:
  struct Reading {
    std::string claim;
    std::optional<Volume> volume;  // none: it could not be read
    std::string spec;              // JSON text
  };

  Task<void> Read(Reading& reading);

  const Executor executor_;
  kube::Client& client_;
  std::map<std::string, Volume> volumes_;
};

}  // namespace millwright::controllers
