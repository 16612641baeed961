#include "cli/seen_watch.h"

namespace millwright::cli {

namespace {

const kube::GroupVersionResource kNodes{"", "v1", "nodes"};

template <class Record>
std::vector<Record> CopyOf(const kube::Informer<Record>& informer) {
  std::vector<Record> copy;
  for (const Record& record : informer.store().objects()) copy.push_back(record);
  return copy;
}

}  // namespace

SeenWatch::SeenWatch(Process process, kube::Client& client, dialects::Dialect& dialect,
                     const std::string& name_space, bool nodes)
    : clock_(process.clock),
      signal_(process.executor),
      deployments_(process.executor, client, process.clock, process.random,
                   process.log.For("watch"),
                   {.resource = dialect.kinds().deployment.resource, .namespace_ = name_space},
                   [&dialect](kube::JsonObject object) { return dialect.ReadDeployment(object); }),
      sets_(process.executor, client, process.clock, process.random, process.log.For("watch"),
            {.resource = dialect.kinds().set.resource, .namespace_ = name_space},
            [&dialect](kube::JsonObject object) { return dialect.ReadSet(object); }),
      machines_(process.executor, client, process.clock, process.random, process.log.For("watch"),
                {.resource = dialect.kinds().machine.resource, .namespace_ = name_space},
                [&dialect](kube::JsonObject object) { return dialect.ReadMachine(object); }),
      tasks_(process.executor) {
  const auto changed = [this](const auto*, const auto*) { Changed(); };
  deployments_.OnChange(changed);
  sets_.OnChange(changed);
  machines_.OnChange(changed);
  if (!nodes) return;
  nodes_.emplace(process.executor, client, process.clock, process.random, process.log.For("watch"),
                 kube::ReflectorOptions{.resource = kNodes},
                 [](kube::JsonObject object) { return dialects::ReadNode(object); });
  nodes_->OnChange(changed);
}

void SeenWatch::Changed() {
  changed_ = true;
  signal_.NotifyAll();
}

Task<void> SeenWatch::Run() {
  tasks_.Spawn([this] { return deployments_.Run(); });
  tasks_.Spawn([this] { return sets_.Run(); });
  tasks_.Spawn([this] { return machines_.Run(); });
  if (nodes_) tasks_.Spawn([this] { return nodes_->Run(); });
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<Wake> SeenWatch::WaitSynced() {
  if (co_await deployments_.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await sets_.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await machines_.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (!nodes_) co_return Wake::kDone;
  co_return co_await nodes_->WaitSynced();
}

Task<Wake> SeenWatch::WaitChanged(SteadyTime deadline) {
  while (!changed_) {
    const Wake why = co_await signal_.WaitUntil(clock_, deadline);
    if (why != Wake::kDone) co_return why;
  }
  changed_ = false;
  co_return Wake::kDone;
}

Seen SeenWatch::Now() const {
  Seen seen;
  seen.deployments = CopyOf(deployments_);
  seen.sets = CopyOf(sets_);
  seen.machines = CopyOf(machines_);
  if (nodes_) seen.nodes = CopyOf(*nodes_);
  seen.Sort();
  return seen;
}

}  // namespace millwright::cli
