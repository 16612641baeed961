// A node as it is now, and not as the cache has it.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/task.h"
#include "dialects/node_record.h"
#include "kube/client/client.h"

namespace millwright::controllers {

// None: there is no such node. One that cannot be read is there all the same, so that is an error.
Task<Result<std::optional<dialects::NodeRecord>>> ReadLiveNode(kube::Client& client,
                                                               std::string name);

}  // namespace millwright::controllers
