#include "dialects/capi/read_template.h"

#include "dialects/capi/read_parts.h"
#include "dialects/capi/read_spec.h"

namespace millwright::dialects::capi {

// Its bytes use the value up, so what they mean is read from the bytes.
Result<void> ReadWholeTemplate(kube::JsonValue value, kube::TextPool& texts, kube::SharedText& text,
                               MachineTemplate& target) {
  if (kube::IsNull(value)) return {};
  TRY(const std::string_view raw, kube::RawJson(value));
  text = texts.Share(raw);
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(raw);
  simdjson::ondemand::document document;
  kube::JsonObject whole;  // a document is no value: simdjson keeps the two apart
  if (const auto code = parser.iterate(padded).get(document)) {
    return Failure(kube::JsonError(code));
  }
  if (document.get_object().get(whole)) return Fail(ErrorKind::kInvalid, "is not an object");
  return ReadTemplate(whole, target);
}

}  // namespace millwright::dialects::capi
