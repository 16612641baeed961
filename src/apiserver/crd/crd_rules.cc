#include "apiserver/crd/crd_rules.h"

#include <memory>

#include "apiserver/crd/definition.h"
#include "apiserver/crd/lifecycle.h"
#include "apiserver/crd/validate.h"

namespace millwright::apiserver {

void AddCrdRules(Registry& registry) {
  const ResourcePtr plain = registry.Find(kCrdGroup, "v1", kCrdPlural);
  if (!plain) return;
  auto crd = std::make_shared<Resource>(*plain);
  crd->rules.set_defaults = SetCrdDefaults;
  crd->rules.prepare = PrepareCrd;
  crd->rules.validate = ValidateCrd;
  crd->rules.mark_removal = MarkCrdForRemoval;
  registry.Add(std::move(crd));
}

}  // namespace millwright::apiserver
