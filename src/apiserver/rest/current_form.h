// Stored objects as clients of a resource see them, and the other way round.
#pragma once

#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "apiserver/store/record.h"
#include "base/result.h"
#include "base/task.h"

namespace millwright::apiserver {

// The same records, with texts in the version of the resource if that takes more than a change of
// its name (which is left to InVersion), and in the shape of its schema also if they were written
// when it had another: a new default shows in old objects.
Task<Result<std::vector<RecordPtr>>> InCurrentForm(const Resource& resource,
                                                   std::vector<RecordPtr> records);
Task<Result<RecordPtr>> InCurrentForm(const Resource& resource, RecordPtr record);

// An object in the version that its kind is stored in.
Task<Result<boost::json::value>> ForStorage(const Resource& resource, boost::json::value object);

}  // namespace millwright::apiserver
