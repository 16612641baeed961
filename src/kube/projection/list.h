// Walking a list answer item by item.
#pragma once

#include <functional>
#include <string>

#include "kube/api/object.h"
#include "kube/projection/json_reader.h"

namespace millwright::kube {

struct ListMeta {
  ResourceVersion resource_version;
  std::string continue_token;
};

// Calls `visit` for each item. An item that `visit` refuses ends the walk with its error. The text
// is taken by value so that a caller who is done with it pays for no copy.
Result<ListMeta> ForEachListItem(std::string list_text,
                                 const std::function<Result<void>(JsonObject)>& visit);

}  // namespace millwright::kube
