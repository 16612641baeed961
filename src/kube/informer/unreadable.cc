#include "kube/informer/unreadable.h"

namespace millwright::kube {

namespace {

Result<void> ReadOwner(JsonValue reference, Unreadable& object) {
  bool controls = false;
  Uid uid;
  std::string name;
  CHECK_OK(ForEachField(reference, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "controller") return ReadInto(value, controls);
    if (key == "uid") return ReadInto(value, uid);
    if (key == "name") return ReadInto(value, name);
    return {};
  }));
  if (!controls) return {};
  object.owner = std::move(uid);
  object.owner_name = std::move(name);
  return {};
}

}  // namespace

Result<Unreadable> ReadIdentity(JsonObject object) {
  if (const auto code = object.reset().error()) return Failure(JsonError(code));
  Unreadable read;
  const auto read_metadata = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key != "ownerReferences") return ReadMetaField(key, value, read.meta);
    // Owners that cannot be read either are none.
    static_cast<void>(ForEachItem(value, [&](JsonValue item) { return ReadOwner(item, read); }));
    return {};
  };
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    return key == "metadata" ? ForEachField(value, read_metadata) : Result<void>();
  }));
  return read;
}

}  // namespace millwright::kube
