#include "controllers/shared/still_wished.h"

namespace millwright::controllers {

Task<Result<void>> StillWished(kube::Client& client, kube::GroupVersionResource resource,
                               kube::Meta owner) {
  CO_TRY(const auto found, co_await client.Find(std::move(resource), owner.key));
  if (found) {
    CO_TRY(const kube::Meta now, found->ReadMeta());
    const bool same = now.uid == owner.uid && now.generation == owner.generation &&
                      now.deleting_since.has_value() == owner.deleting_since.has_value();
    if (same) co_return Ok();
  }
  co_return Fail(ErrorKind::kConflict, owner.key.ToString() + " is not as it was seen");
}

}  // namespace millwright::controllers
