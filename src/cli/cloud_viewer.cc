#include "cli/cloud_viewer.h"

#include "cli/seen_watch.h"
#include "cli/session.h"

namespace millwright::cli {

namespace {

using dialects::DeploymentRecord;
using dialects::Dialect;
using dialects::SetRecord;

template <class Record>
std::optional<Found> Look(const Seen& seen, const Dialect& dialect,
                          const std::vector<Record>& records, const std::string& name,
                          WallTime now) {
  const Record* record = FindNamed(records, name);
  if (record == nullptr) return std::nullopt;
  return Found{record->meta, Describe(seen, dialect, *record, now)};
}

class CloudPicture final : public Picture {
 public:
  // `dialect` outlives it.
  CloudPicture(Seen seen, const Dialect& dialect) : seen_(std::move(seen)), dialect_(dialect) {}

  std::vector<TreeItem> Forest(bool everything) const override {
    return BuildForest(seen_, RulesFor(dialect_.kinds(), everything));
  }

  std::optional<TreeItem> Tree(std::string_view name, bool everything) const override {
    return BuildTree(seen_, RulesFor(dialect_.kinds(), everything), name);
  }

  std::optional<Found> Describe(MachineKind kind, const std::string& name,
                                WallTime now) const override {
    switch (kind) {
      case MachineKind::kMachine: return Look(seen_, dialect_, seen_.machines, name, now);
      case MachineKind::kSet: return Look(seen_, dialect_, seen_.sets, name, now);
      case MachineKind::kDeployment: return Look(seen_, dialect_, seen_.deployments, name, now);
      case MachineKind::kClass:
      case MachineKind::kCluster: return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<Past> PastOf(const std::string& name) const override {
    const DeploymentRecord* found = FindNamed(seen_.deployments, name);
    if (found == nullptr) return std::nullopt;
    std::vector<Revision> revisions;
    for (const SetRecord* set : seen_.SetsOf(*found)) {
      revisions.push_back({.number = set->core.revision,
                           .cause = CauseIn(set->annotations),
                           .template_text = std::string(set->machine_template.whole.view()),
                           .current = seen_.IsCurrent(*set, *found)});
    }
    return Past{*found, InOrder(std::move(revisions))};
  }

  bool nodes_known() const { return seen_.nodes_known; }

 private:
  const Seen seen_;
  const Dialect& dialect_;
};

class CloudWatch final : public PictureWatch {
 public:
  CloudWatch(Process process, kube::Client& client, Dialect& dialect, const std::string& name_space,
             bool nodes)
      : dialect_(dialect), watch_(process, client, dialect, name_space, nodes) {}

  Task<void> Run() override { return watch_.Run(); }
  Task<Wake> WaitSynced() override { return watch_.WaitSynced(); }
  Task<Wake> WaitChanged(SteadyTime deadline) override { return watch_.WaitChanged(deadline); }
  std::unique_ptr<Picture> Now() const override {
    return std::make_unique<CloudPicture>(watch_.Now(), dialect_);
  }

 private:
  const Dialect& dialect_;
  SeenWatch watch_;
};

class CloudViewer final : public Viewer {
 public:
  explicit CloudViewer(std::unique_ptr<Dialect> dialect)
      : dialect_(std::move(dialect)), kinds_{.machines = dialect_->kinds(), .cluster = {}} {}

  const ShownKinds& kinds() const override { return kinds_; }

  Task<Result<std::unique_ptr<Picture>>> Look(kube::Client& client, std::string name_space,
                                              bool closely) override {
    CO_TRY(Seen seen, co_await ReadSeen(client, *dialect_, std::move(name_space), closely));
    std::unique_ptr<Picture> picture = std::make_unique<CloudPicture>(std::move(seen), *dialect_);
    co_return picture;
  }

  std::unique_ptr<PictureWatch> Follow(Process process, kube::Client& client,
                                       const std::string& name_space,
                                       const Picture& first) override {
    const bool nodes = dynamic_cast<const CloudPicture&>(first).nodes_known();
    return std::make_unique<CloudWatch>(process, client, *dialect_, name_space, nodes);
  }

  Result<DeploymentRecord> ReadDeployment(kube::JsonObject object) override {
    return dialect_->ReadDeployment(object);
  }

  Result<boost::json::object> UndoPatch(const Past&, const Revision& target) const override {
    return RollbackPatch(target.number);
  }
  boost::json::object RestartPatch(WallTime now) const override { return RestartedPatch(now); }

 private:
  const std::unique_ptr<Dialect> dialect_;
  const ShownKinds kinds_;
};

}  // namespace

std::unique_ptr<Viewer> MakeCloudViewer(std::unique_ptr<Dialect> dialect) {
  return std::make_unique<CloudViewer>(std::move(dialect));
}

}  // namespace millwright::cli
