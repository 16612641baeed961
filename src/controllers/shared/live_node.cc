#include "controllers/shared/live_node.h"

#include "controllers/shared/caches.h"
#include "kube/projection/list.h"

namespace millwright::controllers {

Task<Result<std::optional<dialects::NodeRecord>>> ReadLiveNode(kube::Client& client,
                                                               std::string name) {
  CO_TRY(const auto found,
         co_await client.Find(kNodes, {.namespace_ = {}, .name = std::move(name)}));
  std::optional<dialects::NodeRecord> node;
  if (!found) co_return node;
  CO_CHECK(kube::ForEachListItem(R"({"items":[)" + found->text() + "]}",
                                 [&](kube::JsonObject object) -> Result<void> {
                                   TRY(node, dialects::ReadNode(object));
                                   return {};
                                 }));
  co_return node;
}

}  // namespace millwright::controllers
