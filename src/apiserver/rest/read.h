// Reading: one object, or a list as it is now, as it was, or page by page.
#pragma once

#include "apiserver/rest/call.h"
#include "apiserver/rest/options.h"

namespace millwright::apiserver {

Task<Result<Answer>> ReadObject(const Services& services, const Call& call);
Task<Result<Answer>> ReadList(const Services& services, const Call& call,
                              const ListOptions& options);

// The object as it is stored; 404 if it is not there.
Result<RecordPtr> FindRecord(const Services& services, const Call& call);

}  // namespace millwright::apiserver
