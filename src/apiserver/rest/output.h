// In which form a client wants its answer.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::apiserver {

struct Output {
  enum class Form { kObject, kTable, kMetadata };

  Form form = Form::kObject;
  std::string version = "v1";  // of Table and PartialObjectMetadata: v1 or v1beta1
  bool yaml = false;
  bool pretty = false;
};

// From the Accept header; the first form that we have wins. Fails with 406 if there is none.
Result<Output> NegotiateOutput(std::string_view accept);

// The media type without its parameters, in lower case.
std::string MediaTypeOf(std::string_view content_type);

}  // namespace millwright::apiserver
