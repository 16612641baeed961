// Any configuration can be applied to any object, under any schema, or is refused; applied once
// more it settles; and an update that changes nothing leaves no trace.
#include "kube/api/apply.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "kube/api/managed_fields.h"
#include "kube/api/schema_parse.h"
#include "kube/api/typed_text.h"

using namespace millwright::kube;

namespace {

// The text up to the next zero byte, as JSON; null if it is not.
boost::json::value Next(std::string_view& text) {
  const size_t cut = text.find('\0');
  const std::string_view part = text.substr(0, cut);
  text = cut == text.npos ? std::string_view() : text.substr(cut + 1);
  auto value = ParseJson(part);
  return value ? *std::move(value) : boost::json::value();
}

// Applies what is wanted to an object that may be there or not.
std::optional<boost::json::value> Applied(const OwnershipRules& rules,
                                          const boost::json::value* live,
                                          const boost::json::value& wanted) {
  const FieldWriter writer{
      .manager = "kubectl", .api_version = "v1", .subresource = "", .time = {}};
  auto object = Apply(rules, live, wanted, writer, Force::kYes);
  if (!object) return std::nullopt;
  return *std::move(object);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto schema = ParseSchema(Next(text));
  const OwnershipRules rules = MainRules(schema ? &*schema : nullptr, true);
  const boost::json::value live = Next(text);
  boost::json::value wanted = Next(text);
  if (!wanted.is_object()) return 0;
  wanted.get_object()["apiVersion"] = "v1";

  const auto once = Applied(rules, live.is_object() ? &live : nullptr, wanted);
  if (!once) return 0;
  const auto twice = Applied(rules, &*once, wanted);
  if (!twice) std::abort();
  const auto thrice = Applied(rules, &*twice, wanted);
  if (!thrice || JsonText(*thrice) != JsonText(*twice)) std::abort();

  boost::json::value updated = *twice;
  const FieldWriter other{.manager = "o", .api_version = "v1", .subresource = "", .time = {}};
  if (!UpdateManagedFields(rules, &*twice, updated, other)) std::abort();
  if (JsonText(updated) != JsonText(*twice)) std::abort();
  return 0;
}
