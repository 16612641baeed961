#include "dialects/gardener/shared_parts.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "dialects/gardener/canonical.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

constexpr size_t kMostRemembered = 1024;

// A memory that is full is begun anew: what is in use comes back at once.
template <class Memory, class T>
const T& Remember(Memory& memory, std::string_view raw, T made) {
  if (memory.size() >= kMostRemembered) memory.clear();
  return memory.insert_or_assign(std::string(raw), std::move(made)).first->second;
}

std::string TextOf(const json::object& object) {
  return object.empty() ? std::string() : json::serialize(object);
}

kube::Labels LabelsOf(const json::object& canonical_template) {
  kube::Labels labels;
  const json::value root(canonical_template);
  const json::object* written = kube::GetObject(root, "metadata.labels");
  if (written == nullptr) return labels;
  for (const auto& [key, value] : *written) {
    if (value.is_string()) labels.emplace(key, value.get_string());
  }
  return labels;
}

const json::object* SpecOf(const json::object& canonical_template) {
  const json::value* spec = canonical_template.if_contains("spec");
  return spec != nullptr ? spec->if_object() : nullptr;
}

}  // namespace

Result<MachineTemplate> SharedParts::Template(std::string_view raw) {
  const auto known = templates_.find(std::string(raw));
  if (known != templates_.end()) return known->second;
  TRY(const json::value parsed, kube::ParseJson(raw));
  const json::object whole = CanonicalTemplate(parsed);
  MachineTemplate made{.labels = LabelsOf(whole),
                       .whole = pool_.Share(TextOf(whole)),
                       .rolls = pool_.Share(TextOf(RollingPart(whole)))};
  if (const json::object* spec = SpecOf(whole)) {
    made.passes = pool_.Share(TextOf(PassedPart(*spec)));
  }
  return Remember(templates_, raw, std::move(made));
}

Result<PassedTexts> SharedParts::Passed(std::string_view raw_spec) {
  const auto known = passed_.find(std::string(raw_spec));
  if (known != passed_.end()) return known->second;
  TRY(const json::value parsed, kube::ParseJson(raw_spec));
  const json::value spec = Canonical(parsed);
  if (!spec.is_object()) return PassedTexts();
  const json::object passed = PassedPart(spec.get_object());
  PassedTexts made{.passes = pool_.Share(TextOf(passed))};
  if (const json::value* node = passed.if_contains("nodeTemplate"); node && node->is_object()) {
    made.node_template = pool_.Share(TextOf(node->get_object()));
  }
  return Remember(passed_, raw_spec, std::move(made));
}

SharedSelector SharedParts::Selector(std::string_view raw) {
  const auto known = selectors_.find(std::string(raw));
  if (known != selectors_.end()) return known->second;
  SharedSelector made{.selector = kube::LabelSelector::Nothing()};
  const auto parsed = kube::ParseJson(raw);
  auto decoded = parsed ? kube::DecodeLabelSelector(*parsed)
                        : Result<kube::LabelSelector>(Failure(parsed.error()));
  if (decoded) {
    made.selector = *std::move(decoded);
  } else {
    made.problem = decoded.error().message();
  }
  return Remember(selectors_, raw, std::move(made));
}

Result<kube::SharedText> SharedParts::Text(std::string_view raw) {
  TRY(const json::value parsed, kube::ParseJson(raw));
  return pool_.Share(CanonicalText(parsed));
}

Shared<Owner> SharedParts::OwnerOf(std::optional<Owner> owner) {
  return owner ? owners_.Share(*std::move(owner)) : Shared<Owner>();
}

Shared<std::vector<std::string>> SharedParts::Finalizers(std::vector<std::string> finalizers) {
  if (finalizers.empty()) return {};
  return finalizers_.Share(std::move(finalizers));
}

Shared<MachineLimits> SharedParts::Limits(MachineLimits limits) {
  if (limits == MachineLimits()) return {};
  return limits_.Share(std::move(limits));
}

}  // namespace millwright::dialects::gardener
