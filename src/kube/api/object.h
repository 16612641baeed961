// Everything about the identity and metadata of objects.
#pragma once

#include "kube/api/group_version.h"     // IWYU pragma: export
#include "kube/api/object_key.h"        // IWYU pragma: export
#include "kube/api/object_meta.h"       // IWYU pragma: export
#include "kube/api/owner_reference.h"   // IWYU pragma: export
#include "kube/api/resource_version.h"  // IWYU pragma: export
