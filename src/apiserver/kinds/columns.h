// What kubectl prints of the built-in kinds.
#pragma once

#include "apiserver/resources/resource.h"

namespace millwright::apiserver {

// Gives the resource its columns and what fills them. Kinds without a table of their own show name
// and time of creation.
void AddColumns(Resource& resource);

}  // namespace millwright::apiserver
