// Alternatives and combinations of schemas.
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "kube/api/schema_validate_scalar.h"
#include "kube/api/schema_validate_walk.h"
#include "kube/api/typed_text.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

std::string Quoted(const Spot& spot) { return QuotedText(spot.path); }

// Keeps the failure that came closest.
void Consider(Findings candidate, std::optional<Findings>& best) {
  if (!best || candidate.passed > best->passed) best = std::move(candidate);
}

Findings CheckAnyOf(const std::vector<SchemaPtr>& schemas, const json::value& value,
                    const Spot& spot) {
  std::optional<Findings> best;
  for (const auto& schema : schemas) {
    Findings found = CheckValue(*schema, value, spot);
    if (found.ok()) return found;
    Consider(std::move(found), best);
  }
  Findings out;
  out.Add(GeneralError(Quoted(spot) + " must validate at least one schema (anyOf)"));
  out.Merge(*std::move(best));
  return out;
}

Findings CheckOneOf(const std::vector<SchemaPtr>& schemas, const json::value& value,
                    const Spot& spot) {
  std::optional<Findings> best;
  std::optional<Findings> success;
  int valid = 0;
  for (const auto& schema : schemas) {
    Findings found = CheckValue(*schema, value, spot);
    if (!found.ok()) {
      Consider(std::move(found), best);
    } else if (++valid == 1) {
      success = std::move(found);
    }
  }
  if (valid == 1) return *std::move(success);
  Findings out;
  const std::string many =
      valid == 0 ? "Found none valid" : fmt::format("Found {} valid alternatives", valid);
  out.Add(GeneralError(Quoted(spot) + " must validate one and only one schema (oneOf). " + many));
  if (valid == 0) out.Merge(*std::move(best));
  return out;
}

Findings CheckAllOf(const std::vector<SchemaPtr>& schemas, const json::value& value,
                    const Spot& spot) {
  Findings out;
  std::size_t valid = 0;
  for (const auto& schema : schemas) {
    Findings found = CheckValue(*schema, value, spot);
    if (found.ok()) ++valid;
    out.Merge(std::move(found));
  }
  if (valid == schemas.size()) return out;
  out.Add(GeneralError(Quoted(spot) + " must validate all the schemas (allOf)" +
                       (valid == 0 ? ". None validated" : "")));
  return out;
}

}  // namespace

Findings CheckLogic(const ValueChecks& checks, const json::value& value, const std::string& path) {
  const Spot spot{path};
  Findings out;
  if (!checks.any_of.empty()) out.Merge(CheckAnyOf(checks.any_of, value, spot));
  if (!checks.one_of.empty()) out.Merge(CheckOneOf(checks.one_of, value, spot));
  if (!checks.all_of.empty()) out.Merge(CheckAllOf(checks.all_of, value, spot));
  if (checks.negated && CheckValue(*checks.negated, value, spot).ok()) {
    out.Add(GeneralError(Quoted(spot) + " must not validate the schema (not)"));
  }
  ++out.passed;
  return out;
}

}  // namespace millwright::kube
