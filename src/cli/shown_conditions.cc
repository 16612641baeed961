#include "cli/shown_conditions.h"

#include "kube/api/json_text.h"

namespace millwright::cli {

std::vector<core::Condition> ShownConditions(std::string_view status) {
  std::vector<core::Condition> shown;
  if (status.empty()) return shown;
  const auto tree = kube::ParseJson(status);
  if (!tree || !tree->is_object()) return shown;
  for (const auto& [key, value] : tree->as_object()) {
    if (!value.is_array()) continue;
    for (const boost::json::value& item : value.as_array()) {
      core::Condition condition{.type = std::string(kube::GetString(item, "type")),
                                .status = std::string(kube::GetString(item, "status")),
                                .reason = std::string(kube::GetString(item, "reason")),
                                .message = std::string(kube::GetString(item, "message"))};
      if (condition.type.empty() || condition.status.empty()) continue;
      const auto since = ParseTime(kube::GetString(item, "lastTransitionTime"));
      if (since) condition.since = *since;
      shown.push_back(std::move(condition));
    }
  }
  return shown;
}

}  // namespace millwright::cli
