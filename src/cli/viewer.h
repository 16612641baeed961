// What commands for people ask of a dialect: to read its machines, draw them, say why they are not
// as they should be, and roll them.
#pragma once

#include <boost/json/object.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/describe_view.h"
#include "cli/machine_kind.h"
#include "cli/process.h"
#include "cli/rollout_words.h"
#include "cli/tree_view.h"
#include "dialects/dialect.h"
#include "kube/client/client.h"

namespace millwright::cli {

// One object with what there is to say about it.
struct Found {
  kube::Meta meta;
  Description description;
};

// A deployment and what it was before.
struct Past {
  dialects::DeploymentRecord deployment;
  std::vector<Revision> revisions;  // the oldest first
};

// Everything about machines as it was seen at one moment.
class Picture {
 public:
  virtual ~Picture() = default;

  // `everything`: with what only those want who look closely.
  virtual std::vector<TreeItem> Forest(bool everything) const = 0;

  // Of one object by its name ("workers" or "machineset/workers-1"); none: it is not there.
  virtual std::optional<TreeItem> Tree(std::string_view name, bool everything) const = 0;
  virtual std::optional<Found> Describe(MachineKind kind, const std::string& name,
                                        WallTime now) const = 0;
  virtual std::optional<Past> PastOf(const std::string& deployment) const = 0;
};

// The same, followed as it changes.
class PictureWatch {
 public:
  virtual ~PictureWatch() = default;

  // Runs until cancelled.
  virtual Task<void> Run() = 0;
  virtual Task<Wake> WaitSynced() = 0;

  // Until something changed since the last call, or the time is over.
  virtual Task<Wake> WaitChanged(SteadyTime deadline) = 0;
  virtual std::unique_ptr<Picture> Now() const = 0;
};

class Viewer {
 public:
  virtual ~Viewer() = default;

  virtual const ShownKinds& kinds() const = 0;

  // What may not be read besides machines, their sets and deployments is left out. `closely`: with
  // what only an explanation needs.
  virtual Task<Result<std::unique_ptr<Picture>>> Look(kube::Client& client, std::string name_space,
                                                      bool closely) = 0;

  // `first` was looked at before, and says what may be read.
  virtual std::unique_ptr<PictureWatch> Follow(Process process, kube::Client& client,
                                               const std::string& name_space,
                                               const Picture& first) = 0;

  virtual Result<dialects::DeploymentRecord> ReadDeployment(kube::JsonObject object) = 0;

  // Merge patches of a deployment: it goes back to a revision; all its machines are replaced.
  virtual Result<boost::json::object> UndoPatch(const Past& past, const Revision& target) const = 0;
  virtual boost::json::object RestartPatch(WallTime now) const = 0;
};

}  // namespace millwright::cli
