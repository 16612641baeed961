#include "agent/pod_worker.h"

#include <boost/json.hpp>

namespace millwright::agent {

namespace {

const kube::GroupVersionResource kPods{"", "v1", "pods"};

}  // namespace

PodWorker::PodWorker(const Executor& executor, kube::Client& client, Clock& clock, Random& random,
                     const Logger& log, const std::string& node, std::string address)
    : client_(client),
      clock_(clock),
      address_(std::move(address)),
      pods_(executor, client, clock, random, log,
            {.resource = kPods, .field_selector = "spec.nodeName=" + node}, DecodePod),
      controller_(executor, clock, log, {.name = "pods", .workers = 4},
                  [this](kube::ObjectKey key) { return Reconcile(std::move(key)); }),
      tasks_(executor) {
  pods_.OnChange([this](const PodView*, const PodView* after) {
    if (after != nullptr) controller_.queue().Add(after->meta.key);
  });
}

Task<void> PodWorker::Run() {
  tasks_.Spawn([this] { return pods_.Run(); });
  tasks_.Spawn([this] { return controller_.Run(); });
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<Result<kube::Requeue>> PodWorker::Reconcile(kube::ObjectKey key) {
  const PodView* found = pods_.store().Find(key);
  if (found == nullptr) co_return kube::Requeue::WhenChanged();
  const PodView pod = *found;
  Result<void> done;
  switch (PlanPod(pod)) {
    case PodStep::kNothing: break;
    case PodStep::kFinishDeletion:
      done = co_await client_.Delete(kPods, key, {.uid = pod.meta.uid, .grace_period_seconds = 0});
      break;
    case PodStep::kSayRunning: {
      const auto patched =
          co_await client_.Patch(kPods, key, kube::PatchKind::kStrategicMerge,
                                 boost::json::serialize(RunningPatch(pod, address_, clock_.Now())),
                                 {.write = {.subresource = "status"}});
      if (!patched) done = Failure(patched.error());
      break;
    }
  }
  // It, or this pod of that name, is gone: then there is nothing to do for it.
  const bool gone = !done && (done.error().kind() == ErrorKind::kNotFound ||
                              done.error().kind() == ErrorKind::kConflict);
  if (!done && !gone) co_return Failure(done.error());
  co_return kube::Requeue::WhenChanged();
}

}  // namespace millwright::agent
