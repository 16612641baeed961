#include "controllers/contract/shared/writer.h"

#include <boost/json/serialize.hpp>

namespace millwright::controllers::contract {

Task<Result<kube::Meta>> Writer::Patch(kube::Meta seen, boost::json::object patch,
                                       std::string subresource) {
  if (patch.empty()) co_return seen;
  boost::json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata = boost::json::object();
  metadata.as_object().insert_or_assign("resourceVersion", seen.resource_version.str());
  metadata.as_object().insert_or_assign("uid", seen.uid.str());
  CO_TRY(const kube::Document written,
         co_await client_.Patch(resource_, seen.key, kube::PatchKind::kMerge,
                                boost::json::serialize(patch),
                                {.write = {.subresource = std::move(subresource)}}));
  CO_TRY(kube::Meta meta, written.ReadMeta());
  guard_.Expect(seen.key, meta.resource_version);
  co_return meta;
}

}  // namespace millwright::controllers::contract
