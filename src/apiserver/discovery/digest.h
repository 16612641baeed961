// Short names for long contents.
#pragma once

#include <string>
#include <string_view>

#include "kube/api/group_version.h"

namespace millwright::apiserver {

// The same for the same bytes, in every process: clients keep documents under it for months.
// Upper-case hexadecimal digits.
std::string Digest(std::string_view bytes);

// By which clients notice that objects are now stored in another version; as a kube-apiserver makes
// it.
std::string StorageVersionHash(const kube::GroupVersionKind& stored_as);

}  // namespace millwright::apiserver
