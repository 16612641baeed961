// Volumes of a node that was emptied by force: its pods did not let go of them, so their
// attachments are taken away, that they can come up elsewhere.
#include "controllers/drain/attachment_record.h"
#include "controllers/machine/machine_controller.h"
#include "kube/projection/list.h"

namespace millwright::controllers {

using core::DeletionStage;
using dialects::MachineRecord;
using kube::Requeue;

namespace {

const kube::GroupVersionResource kAttachments{"storage.k8s.io", "v1", "volumeattachments"};

}  // namespace

// They have no index by node, and this is rare: all are read.
Task<Result<std::vector<kube::Meta>>> MachineController::LiveAttachments(std::string node) {
  std::vector<kube::Meta> live;
  kube::ListOptions options{.limit = 500};
  do {
    auto page = co_await surroundings_.target->List(kAttachments, options);
    // A server that does not know the kind has none of them.
    if (!page && page.error().kind() == ErrorKind::kNotFound) break;
    CO_CHECK(page);
    CO_TRY(kube::ListMeta meta,
           kube::ForEachListItem(*std::move(page), [&](kube::JsonObject item) -> Result<void> {
             TRY(AttachmentRecord attachment, ReadAttachment(item));
             const bool going = attachment.meta.deleting_since.has_value();
             if (attachment.node == node && !going) live.push_back(std::move(attachment.meta));
             return {};
           }));
    options.continue_token = std::move(meta.continue_token);
  } while (!options.continue_token.empty());
  co_return live;
}

Task<Result<Requeue>> MachineController::ReleaseVolumes(MachineRecord& machine,
                                                        const std::vector<kube::Meta>& attachments,
                                                        Requeue requeue) {
  for (const kube::Meta& attachment : attachments) {
    const auto removed = co_await surroundings_.target->Delete(kAttachments, attachment.key,
                                                               {.uid = attachment.uid});
    if (removed) continue;
    co_return co_await StayAt(machine, DeletionStage::kReleaseVolumes,
                              dialects::OperationState::kFailed, removed.error().message(),
                              requeue);
  }
  co_return co_await StayAt(machine, DeletionStage::kReleaseVolumes,
                            dialects::OperationState::kProcessing, {}, requeue);
}

}  // namespace millwright::controllers
