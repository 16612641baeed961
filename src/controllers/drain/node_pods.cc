#include "controllers/drain/node_pods.h"

#include "controllers/drain/pod_record.h"
#include "core/drain/classify.h"
#include "kube/projection/list.h"

namespace millwright::controllers {

namespace {

const kube::GroupVersionResource kPods{"", "v1", "pods"};

}  // namespace

bool MustGo(const core::Pod& pod, WallTime now) {
  return core::ClassifyPod(pod, {}, false, now).fate == core::PodFate::kEvict;
}

Task<Result<bool>> IsEmptied(kube::Client& client, std::string node, WallTime now) {
  CO_TRY(std::string list,
         co_await client.List(kPods, {.field_selector = "spec.nodeName=" + std::move(node)}));
  bool emptied = true;
  CO_TRY(const kube::ListMeta end,
         kube::ForEachListItem(std::move(list), [&](kube::JsonObject item) -> Result<void> {
           TRY(const PodRecord pod, ReadPod(item));
           emptied = emptied && !MustGo(AsPod(pod), now);
           return {};
         }));
  co_return emptied&& end.continue_token.empty();
}

}  // namespace millwright::controllers
