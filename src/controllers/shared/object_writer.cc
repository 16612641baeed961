#include "controllers/shared/object_writer.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include <algorithm>

namespace millwright::controllers {

namespace json = boost::json;

std::optional<std::vector<std::string>> With(std::vector<std::string> finalizers,
                                             const std::string& finalizer) {
  if (std::ranges::find(finalizers, finalizer) != finalizers.end()) return std::nullopt;
  finalizers.push_back(finalizer);
  return finalizers;
}

std::optional<std::vector<std::string>> Without(std::vector<std::string> finalizers,
                                                const std::string& finalizer) {
  if (std::erase(finalizers, finalizer) == 0) return std::nullopt;
  return finalizers;
}

Task<Result<kube::ResourceVersion>> ObjectWriter::Patch(kube::Meta seen, json::object patch,
                                                        std::string subresource) {
  if (patch.empty()) co_return seen.resource_version;
  json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  metadata.as_object().insert_or_assign("resourceVersion", seen.resource_version.str());
  metadata.as_object().insert_or_assign("uid", seen.uid.str());
  CO_TRY(
      const kube::Document written,
      co_await client_.Patch(resource_, seen.key, kube::PatchKind::kMerge, json::serialize(patch),
                             {.write = {.subresource = std::move(subresource)}}));
  CO_TRY(const kube::Meta meta, written.ReadMeta());
  guard_.Expect(seen.key, meta.resource_version);
  co_return meta.resource_version;
}

Task<Result<void>> ObjectWriter::Create(kube::ObjectKey key, json::object body) {
  CO_TRY(const kube::Document written,
         co_await client_.Create(resource_, key, json::serialize(body)));
  CO_TRY(const kube::Meta meta, written.ReadMeta());
  guard_.Expect(key, meta.resource_version);
  co_return Ok();
}

Task<Result<void>> ObjectWriter::Delete(kube::Meta seen) {
  co_return co_await client_.Delete(resource_, seen.key, {.uid = seen.uid});
}

Task<Result<void>> ObjectWriter::AddFinalizer(kube::Meta seen, std::vector<std::string> finalizers,
                                              std::string ours) {
  const auto with = With(std::move(finalizers), ours);
  if (!with) co_return Ok();
  CO_CHECK(co_await Patch(seen, {{"metadata", {{"finalizers", json::value_from(*with)}}}}));
  co_return Ok();
}

Task<Result<void>> ObjectWriter::RemoveFinalizer(kube::Meta seen,
                                                 std::vector<std::string> finalizers,
                                                 std::string ours) {
  const auto without = Without(std::move(finalizers), ours);
  if (!without) co_return Ok();
  auto removed = co_await Patch(seen, {{"metadata", {{"finalizers", json::value_from(*without)}}}});
  // With its last finalizer the object goes.
  if (!removed && removed.error().kind() != ErrorKind::kNotFound) {
    co_return Failure(std::move(removed).error());
  }
  co_return Ok();
}

}  // namespace millwright::controllers
