#include "apiserver/crd/rules_condition.h"

#include <boost/json.hpp>

#include "apiserver/crd/definition.h"
#include "kube/api/json_text.h"
#include "kube/api/schema_parse.h"
#include "kube/cel/rule_check.h"

namespace millwright::apiserver {

CrdCondition RulesCondition(const boost::json::value& crd) {
  std::string message;
  const boost::json::array& versions = VersionsOf(crd);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const boost::json::value* document = kube::Find(versions[i], "schema.openAPIV3Schema");
    if (document == nullptr || !document->is_object()) continue;
    const std::string path = kube::PathIndex("spec.versions", i) + ".schema.openAPIV3Schema";
    const auto schema = kube::ParseSchema(*document, path);
    if (!schema) continue;  // refused when it came
    for (const auto& rule : kube::cel::UnsupportedRules(*schema, path)) {
      message += (message.empty() ? "" : ", ") + kube::ToString(rule);
    }
  }
  if (message.empty()) return {};
  return {.type = std::string(kRulesNotRun),
          .status = "True",
          .reason = "OutsideCoverage",
          .message = std::move(message)};
}

}  // namespace millwright::apiserver
