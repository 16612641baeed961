// What every object has, and who applied what to it.
#pragma once

#include <initializer_list>
#include <string_view>

#include "dialects/capi/records.h"
#include "kube/projection/json_reader.h"

namespace millwright::dialects::capi {

// A manager whose fields are kept, and where.
struct AppliedBy {
  std::string_view manager;
  kube::SharedText* fields;
};

Result<void> ReadHeader(kube::JsonValue value, Header& header, kube::TextPool& texts,
                        std::initializer_list<AppliedBy> applied = {});

}  // namespace millwright::dialects::capi
