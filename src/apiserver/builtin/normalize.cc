#include "apiserver/builtin/normalize.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/go_reader.h"
#include "apiserver/builtin/table.h"
#include "kube/api/typed_value.h"

namespace millwright::apiserver {

Result<void> NormalizeBuiltin(const kube::GroupVersionKind& kind, boost::json::value& object) {
  const builtin::Type* type = builtin::BuiltinTable().Find(kind);
  if (type == nullptr) return Fail(ErrorKind::kInternal, kind.ToString() + " is no built-in kind");
  if (kube::IsNestedTooDeep(object)) {
    return Fail(ErrorKind::kInvalid, "the object is nested too deep");
  }
  const auto read = builtin::GoReader().Read(*type, object);
  if (read) return Ok();
  return Fail(ErrorKind::kInvalid,
              fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}", kind.kind,
                          kind.version, read.error().message()));
}

}  // namespace millwright::apiserver
