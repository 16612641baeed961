#include "apiserver/webhooks/condition_rules.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/webhooks/cel_conditions.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

const json::array& ListAt(const json::value& value, std::string_view path) {
  static const json::array kNone;
  const json::array* found = kube::GetArray(value, path);
  return found == nullptr ? kNone : *found;
}

std::vector<kube::FieldError> CheckConditions(const json::value& configuration) {
  std::vector<kube::FieldError> errors;
  std::size_t i = 0;
  for (const json::value& webhook : ListAt(configuration, "webhooks")) {
    std::size_t j = 0;
    for (const json::value& condition : ListAt(webhook, "matchConditions")) {
      const std::string_view expression = kube::GetString(condition, "expression");
      const auto good = expression.empty() ? Ok() : CheckCondition(expression);
      if (!good) {
        errors.push_back(
            kube::InvalidError(fmt::format("webhooks[{}].matchConditions[{}].expression", i, j),
                               json::value(expression), good.error().message()));
      }
      ++j;
    }
    ++i;
  }
  return errors;
}

}  // namespace

void AddConditionRules(Registry& registry) {
  for (const char* plural : {"mutatingwebhookconfigurations", "validatingwebhookconfigurations"}) {
    const ResourcePtr known = registry.Find("admissionregistration.k8s.io", "v1", plural);
    if (!known) continue;
    auto stricter = std::make_shared<Resource>(*known);
    stricter->rules.validate = [before = known->rules.validate](const json::value& object,
                                                                const json::value* old) {
      auto errors = before ? before(object, old) : std::vector<kube::FieldError>();
      for (kube::FieldError& error : CheckConditions(object)) errors.push_back(std::move(error));
      return errors;
    };
    registry.Add(std::move(stricter));
  }
}

}  // namespace millwright::apiserver
