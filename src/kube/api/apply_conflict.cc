#include "kube/api/apply_conflict.h"

#include <memory>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

namespace millwright::kube {

namespace json = boost::json;

namespace {

std::vector<ApplyConflict> Flatten(const OwnedByOthers& conflicts) {
  std::vector<ApplyConflict> out;
  for (const auto& [id, fields] : conflicts) {
    for (auto& path : fields.Paths()) out.push_back({id.ToString(), std::move(path)});
  }
  return out;
}

std::string Text(const std::vector<ApplyConflict>& conflicts) {
  if (conflicts.size() == 1) {
    return fmt::format("Apply failed with 1 conflict: {}: {}", conflicts[0].Message(),
                       conflicts[0].field);
  }
  std::string text = fmt::format("Apply failed with {} conflicts: ", conflicts.size());
  const std::string* owner = nullptr;
  for (const auto& conflict : conflicts) {
    if (owner == nullptr || *owner != conflict.owner) {
      text += fmt::format("{}conflicts with {}:", owner == nullptr ? "" : "\n", conflict.owner);
    }
    owner = &conflict.owner;
    text += "\n- " + conflict.field;
  }
  return text;
}

std::string TextAt(const json::object* object, std::string_view name) {
  const json::value* value = object == nullptr ? nullptr : object->if_contains(name);
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? "" : std::string(*text);
}

}  // namespace

Error ConflictError(const OwnedByOthers& conflicts) {
  auto list = Flatten(conflicts);
  std::string text = Text(list);
  return Error(ErrorKind::kConflict, std::move(text))
      .WithDetail(std::make_shared<const ApplyConflicts>(std::move(list)));
}

std::string ObjectName(const json::value& object) {
  const auto* fields = object.if_object();
  const json::value* value = fields == nullptr ? nullptr : fields->if_contains("metadata");
  const auto* metadata = value == nullptr ? nullptr : value->if_object();
  return fmt::format("{}/{}; {}, Kind={}", TextAt(metadata, "namespace"), TextAt(metadata, "name"),
                     TextAt(fields, "apiVersion"), TextAt(fields, "kind"));
}

}  // namespace millwright::kube
