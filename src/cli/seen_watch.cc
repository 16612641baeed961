#include "cli/seen_watch.h"

namespace millwright::cli {

namespace {

using dialects::Dialect;

const kube::GroupVersionResource kNodes{"", "v1", "nodes"};

template <class Record>
const kube::Store<Record>& Follow(FollowedKinds& kinds, kube::Client& client,
                                  const dialects::Kind& kind, const std::string& name_space,
                                  Dialect& dialect,
                                  Result<Record> (Dialect::*read)(kube::JsonObject)) {
  return kinds.Follow<Record>(
      client, {.resource = kind.resource, .namespace_ = name_space},
      [&dialect, read](kube::JsonObject object) { return (dialect.*read)(object); });
}

}  // namespace

SeenWatch::SeenWatch(Process process, kube::Client& client, Dialect& dialect,
                     const std::string& name_space, bool nodes)
    : kinds_(process),
      deployments_(Follow(kinds_, client, dialect.kinds().deployment, name_space, dialect,
                          &Dialect::ReadDeployment)),
      sets_(Follow(kinds_, client, dialect.kinds().set, name_space, dialect, &Dialect::ReadSet)),
      machines_(Follow(kinds_, client, dialect.kinds().machine, name_space, dialect,
                       &Dialect::ReadMachine)) {
  if (!nodes) return;
  nodes_ = &kinds_.Follow<dialects::NodeRecord>(client, {.resource = kNodes}, dialects::ReadNode);
}

Seen SeenWatch::Now() const {
  Seen seen;
  seen.deployments = CopyOf(deployments_);
  seen.sets = CopyOf(sets_);
  seen.machines = CopyOf(machines_);
  if (nodes_ != nullptr) seen.nodes = CopyOf(*nodes_);
  seen.Sort();
  return seen;
}

}  // namespace millwright::cli
