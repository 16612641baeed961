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
  kube::JsonValue whole;
  if (const auto code = parser.iterate(padded).get(document)) {
    return Failure(kube::JsonError(code));
  }
  if (const auto code = document.get_value().get(whole)) return Failure(kube::JsonError(code));
  return ReadTemplate(whole, target);
}

}  // namespace millwright::dialects::capi
