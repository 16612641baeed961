// Reading: one object, or a list as it is now, as it was, or page by page.
#pragma once

#include "apiserver/rest/call.h"
#include "apiserver/rest/options.h"

namespace millwright::apiserver {

Result<Answer> ReadObject(const Services& services, const Call& call);
Result<Answer> ReadList(const Services& services, const Call& call, const ListOptions& options);

// The stored object in the version of the call's resource; 404 if it is not there.
Result<RecordPtr> FindRecord(const Services& services, const Call& call);

}  // namespace millwright::apiserver
