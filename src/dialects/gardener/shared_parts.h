// The parts of specs that very many objects have in common, in canonical form and kept once.
//
// All machines of a set come with the same bytes for them, so what was made of the bytes is
// remembered: a decode then costs a look-up and no parsing.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "dialects/machine_record.h"
#include "dialects/machine_template.h"
#include "kube/api/labels.h"
#include "kube/projection/json_reader.h"
#include "kube/projection/raw_json.h"
#include "kube/projection/text_map.h"

namespace millwright::dialects::gardener {

// What a machine was handed down by its set.
struct PassedTexts {
  kube::SharedText passes;
  kube::SharedText node_template;
};

struct SharedSelector {
  kube::LabelSelector selector;
  std::string problem;  // why it cannot be used
};

class SharedParts {
 public:
  SharedParts() = default;
  SharedParts(const SharedParts&) = delete;
  SharedParts& operator=(const SharedParts&) = delete;

  Result<MachineTemplate> Template(std::string_view raw);

  // Of a whole machine spec, or of those of its fields that are passed.
  Result<PassedTexts> Passed(std::string_view raw_spec);

  SharedSelector Selector(std::string_view raw);

  // The text in canonical form.
  Result<kube::SharedText> Text(std::string_view raw);

  // The text as it was written.
  kube::SharedText Verbatim(std::string_view raw) { return pool_.Share(raw); }

  kube::TextPool& texts() { return pool_; }
  kube::TextMapPool& maps() { return maps_; }

  // Those that are like nothing are not there.
  Shared<Owner> OwnerOf(std::optional<Owner> owner);
  Shared<std::vector<std::string>> Finalizers(std::vector<std::string> finalizers);
  Shared<MachineLimits> Limits(MachineLimits limits);

  ConditionPool& conditions() { return conditions_; }

 private:
  // Few enough to be harmless, far more than the templates of a cluster.
  template <class T>
  using Memory = std::unordered_map<std::string, T>;

  kube::TextPool pool_;
  kube::TextMapPool maps_{pool_};
  SharedPool<Owner> owners_;
  SharedPool<std::vector<std::string>> finalizers_;
  SharedPool<MachineLimits> limits_;
  ConditionPool conditions_;
  Memory<MachineTemplate> templates_;
  Memory<PassedTexts> passed_;
  Memory<SharedSelector> selectors_;
};

}  // namespace millwright::dialects::gardener
