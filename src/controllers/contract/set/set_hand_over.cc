// Labels and annotations of clones belong to a field manager of their own, so that they can be
// changed without the spec. A clone is made whole by one apply, and then handed over.
#include <boost/json/serialize.hpp>

#include "controllers/contract/set/set_controller.h"
#include "dialects/capi/clone.h"

namespace millwright::controllers::contract {

namespace json = boost::json;

namespace {

// Providers write to a new clone as soon as they see it. Who is slower reads it again; more often
// than this nobody writes in a row.
constexpr int kTries = 5;

}  // namespace

Task<Result<void>> SetController::HandOver(const capi::SetRecord& set, CloneAddress clone,
                                           kube::Document seen) {
  kube::Client& client = surroundings_.management;
  for (int tried = 1;; ++tried) {
    CO_TRY(const json::value tree, seen.Tree());
    const auto patch = capi::HandOverMetadata(tree.as_object(), set);
    if (!patch) co_return Ok();
    auto handed = co_await client.Patch(clone.resource, clone.key, kube::PatchKind::kMerge,
                                        json::serialize(*patch));
    if (handed) {
      CO_TRY(const kube::Meta meta, handed->ReadMeta());
      if (kube::WriteGuard* guard = externals_.GuardOf(clone.kind)) {
        guard->Expect(clone.key, meta.resource_version);
      }
      co_return Ok();
    }
    if (handed.error().kind() != ErrorKind::kConflict || tried == kTries) {
      co_return Failure(handed.error());
    }
    CO_TRY(std::optional<kube::Document> now, co_await client.Find(clone.resource, clone.key));
    if (!now) co_return Ok();  // it went
    seen = *std::move(now);
  }
}

Task<Result<void>> SetController::HandOverLater(const capi::SetRecord& set, CloneAddress clone) {
  CO_TRY(std::optional<kube::Document> now,
         co_await surroundings_.management.Find(clone.resource, clone.key));
  if (!now) co_return Ok();
  co_return co_await HandOver(set, std::move(clone), *std::move(now));
}

}  // namespace millwright::controllers::contract
