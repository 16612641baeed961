#include "kube/client/document.h"

#include "kube/api/json_text.h"

namespace millwright::kube {

Result<Meta> Document::ReadMeta() const { return ReadObjectMeta(text_); }

Result<boost::json::value> Document::Tree() const { return ParseJson(text_); }

}  // namespace millwright::kube
