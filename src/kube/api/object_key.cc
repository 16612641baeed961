#include "kube/api/object_key.h"

#include <fmt/format.h>

namespace millwright::kube {

Result<ObjectKey> ParseObjectKey(std::string_view text) {
  ObjectKey key;
  const size_t slash = text.find('/');
  if (slash != text.npos) key.namespace_ = text.substr(0, slash);
  key.name = slash == text.npos ? text : text.substr(slash + 1);
  const bool namespace_missing = slash == 0;
  if (namespace_missing || key.name.empty() || key.name.find('/') != key.name.npos) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("'{}' is neither a name nor namespace/name", text));
  }
  return key;
}

}  // namespace millwright::kube
