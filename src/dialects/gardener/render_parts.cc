#include "dialects/gardener/render_parts.h"

#include <boost/json/array.hpp>

#include "dialects/gardener/names.h"
#include "dialects/gardener/words.h"
#include "kube/api/json_text.h"
#include "kube/api/merge_patch.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

json::object AnnotationPatch(json::object changes) {
  json::object patch;
  AddMetadata(patch, "annotations", std::move(changes));
  return patch;
}

void AddMetadata(json::object& patch, std::string_view field, json::object changes) {
  if (changes.empty()) return;
  json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  metadata.get_object()[field] = std::move(changes);
}

void AddSpec(json::object& patch, json::object changes) {
  if (!changes.empty()) patch["spec"] = std::move(changes);
}

json::object ObjectOf(std::string_view text) {
  if (text.empty()) return {};
  auto parsed = kube::ParseJson(text);
  return parsed && parsed->is_object() ? std::move(parsed->get_object()) : json::object();
}

json::object Difference(std::string_view before, std::string_view after) {
  if (before == after) return {};
  auto patch = kube::CreateMergePatch(ObjectOf(before), ObjectOf(after));
  return patch && patch->is_object() ? std::move(patch->get_object()) : json::object();
}

json::array ControlledBy(std::string_view kind, const kube::Meta& owner) {
  return {json::object{{"apiVersion", kApiVersion},
                       {"kind", kind},
                       {"name", owner.key.name},
                       {"uid", owner.uid.str()},
                       {"controller", true},
                       {"blockOwnerDeletion", true}}};
}

json::array WithOurFinalizer(const json::value* finalizers) {
  json::array list;
  if (finalizers != nullptr && finalizers->is_array()) list = finalizers->get_array();
  for (const json::value& finalizer : list) {
    if (finalizer == json::value(finalizers::kObject)) return list;
  }
  list.push_back(json::value(finalizers::kObject));
  return list;
}

json::object OperationJson(const ShownOperation& operation) {
  json::object shown;
  if (!operation.description.empty()) shown["description"] = operation.description.view();
  if (!operation.error_code.empty()) shown["errorCode"] = operation.error_code.view();
  if (operation.at) shown["lastUpdateTime"] = FormatTime(*operation.at);
  if (operation.state != OperationState::kNone) {
    shown["state"] = OperationStateText(operation.state);
  }
  if (operation.operation != Operation::kNone) {
    shown["type"] = OperationText(operation.operation);
  }
  return shown;
}

json::array FailedMachinesJson(const std::vector<FailedMachine>& failed) {
  json::array list;
  for (const FailedMachine& machine : failed) {
    json::object shown{{"name", machine.name}};
    if (!machine.instance.empty()) shown["providerID"] = machine.instance;
    if (!machine.owner.empty()) shown["ownerRef"] = machine.owner;
    json::object operation = OperationJson(machine.operation);
    if (!operation.empty()) shown["lastOperation"] = std::move(operation);
    list.push_back(std::move(shown));
  }
  return list;
}

std::string FailedMachinesKey(const json::value* list) {
  std::string key;
  if (list == nullptr || !list->is_array()) return key;
  for (const json::value& machine : list->get_array()) {
    for (const char* field :
         {"name", "providerID", "ownerRef", "lastOperation.type", "lastOperation.state",
          "lastOperation.errorCode", "lastOperation.description"}) {
      key.append(kube::GetString(machine, field)).push_back('\0');
    }
    key.push_back('\n');
  }
  return key;
}

}  // namespace millwright::dialects::gardener
