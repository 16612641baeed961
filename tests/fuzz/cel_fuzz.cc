// Any text compiles or is refused with its place; what compiles runs within its budget, and gives
// the same value twice.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <boost/json.hpp>

#include "kube/api/schema_parse.h"
#include "kube/cel/program.h"
#include "kube/cel/schema_type.h"
#include "kube/cel/schema_value.h"
#include "kube/cel/text.h"

using namespace millwright::kube;
using namespace millwright::kube::cel;

namespace {

constexpr std::uint64_t kBudget = 20'000;

const SchemaPtr& FuzzSchema() {
  static const SchemaPtr kSchema = ForRules(*ParseSchema(boost::json::parse(R"({
      "type": "object", "properties": {
        "n": {"type": "integer"}, "r": {"type": "number"}, "s": {"type": "string"},
        "t": {"type": "string", "format": "date-time"}, "e": {"x-kubernetes-int-or-string": true},
        "l": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "m": {"type": "object", "additionalProperties": {"type": "integer"}}}})")),
                                            true);
  return kSchema;
}

const boost::json::value& FuzzData() {
  static const boost::json::value kData = boost::json::parse(
      R"({"n": 3, "r": 0.5, "s": "text", "t": "2026-01-02T03:04:05Z", "e": "5%",
          "l": ["a", "b"], "m": {"k": 1}})");
  return kData;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const TypePtr type = TypeOfSchema(*FuzzSchema(), "selfType");
  const auto program = Program::Compile(text, {{"self", type}, {"oldSelf", type}});
  if (!program) {
    if (!program.error().message().starts_with("ERROR: <input>:")) std::abort();
    return 0;
  }
  const Value self = *ValueOfData(*FuzzSchema(), FuzzData());
  Budget first(kBudget);
  Budget second(kBudget);
  const auto one = program->Run({{"self", self}, {"oldSelf", self}}, first);
  const auto two = program->Run({{"self", self}, {"oldSelf", self}}, second);
  if (one.has_value() != two.has_value() || first.spent() != second.spent()) std::abort();
  if (one && Shown(*one) != Shown(*two)) std::abort();
  return 0;
}
