#include "controllers/drain/acts.h"

namespace millwright::controllers {

using core::DrainAct;
using core::DrainAnswer;
using kube::ObjectKey;

namespace {

const kube::GroupVersionResource kPods{"", "v1", "pods"};

Task<Result<void>> Send(kube::Client& client, ObjectKey pod, DrainAct act) {
  if (act.kind == DrainAct::Kind::kEvict) {
    co_return co_await client.Evict(std::move(pod),
                                    {.grace_period_seconds = {}, .uid = act.uid, .dry_run = false});
  }
  co_return co_await client.Delete(
      kPods, std::move(pod),
      {.uid = act.uid, .resource_version = {}, .grace_period_seconds = 0, .dry_run = false});
}

Task<Result<bool>> IsThere(kube::Client& client, ObjectKey pod, Uid uid) {
  CO_TRY(const auto document, co_await client.Find(kPods, std::move(pod)));
  if (!document) co_return false;
  CO_TRY(const kube::Meta meta, document->ReadMeta());
  co_return meta.uid == uid;
}

}  // namespace

Task<ActAnswer> CarryOut(kube::Client& client, DrainAct act) {
  const auto pod = kube::ParseObjectKey(act.key);
  if (!pod) co_return ActAnswer{DrainAnswer::kFailed, pod.error().message()};
  const Result<void> sent = co_await Send(client, *pod, act);
  if (sent) co_return ActAnswer{};
  const Error& error = sent.error();
  if (error.kind() == ErrorKind::kThrottled && act.kind == DrainAct::Kind::kEvict) {
    co_return ActAnswer{DrainAnswer::kRefused, error.message()};
  }
  // Either its UID is another one now, or somebody wrote to it at the same time.
  if (error.kind() == ErrorKind::kConflict) {
    const auto there = co_await IsThere(client, *pod, act.uid);
    if (there && !*there) co_return ActAnswer{DrainAnswer::kGone, {}};
  }
  co_return ActAnswer{DrainAnswer::kFailed, error.message()};
}

}  // namespace millwright::controllers
