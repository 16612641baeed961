// What is recorded on a machine itself.
#include "dialects/gardener/names.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/words.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

constexpr std::string_view kDefaultPriority = "3";
constexpr std::string_view kChosenPriority = "1";

}  // namespace

json::object Recorded(const MachineRecord& machine, std::string_view instance,
                      std::string_view node) {
  json::object patch;
  if (!node.empty() && machine.node != node) AddMetadata(patch, "labels", {{labels::kNode, node}});
  if (!machine.has_priority) {
    AddMetadata(patch, "annotations", {{annotations::kPriority, kDefaultPriority}});
  }
  if (!instance.empty() && machine.instance != instance) AddSpec(patch, {{"providerID", instance}});
  return patch;
}

json::object Marked(const MachineRecord& machine, const core::ScalerMark& mark) {
  json::object changes;
  if (!machine.core.disposal.chosen) changes[annotations::kPriority] = kChosenPriority;
  if (!machine.core.disposal.marked_at) changes[annotations::kMarkedTime] = FormatTime(mark.at);
  return AnnotationPatch(std::move(changes));
}

json::object AutoPreserved(const MachineRecord& machine, bool keep) {
  const bool kept =
      machine.wish && machine.wish->valid && machine.wish->wish == core::PreserveWish::kAutomatic;
  if (kept == keep) return {};
  json::value wish = nullptr;
  if (keep) wish = WishText(core::PreserveWish::kAutomatic);
  return AnnotationPatch({{annotations::kPreserve, std::move(wish)}});
}

}  // namespace millwright::dialects::gardener
