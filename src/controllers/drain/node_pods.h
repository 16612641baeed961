// The pods of a node that a drain is about.
#pragma once

#include <string>

#include "core/drain/pod.h"
#include "kube/client/client.h"

namespace millwright::controllers {

bool MustGo(const core::Pod& pod, WallTime now);

// Whether no pod of the node has to go: for a node that lets no new ones come, that is the end.
Task<Result<bool>> IsEmptied(kube::Client& client, std::string node, WallTime now);

}  // namespace millwright::controllers
