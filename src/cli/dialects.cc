#include "cli/dialects.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/gardener_controller.h"
#include "dialects/gardener/gardener.h"
#include "dialects/gardener/schema.h"

namespace millwright::cli {

namespace {

constexpr DialectEntry kDialects[] = {
    {"gardener", dialects::gardener::MakeGardenerDialect, dialects::gardener::Crds,
     kGardenerController},
};

}  // namespace

std::span<const DialectEntry> Dialects() { return kDialects; }

Result<const DialectEntry*> FindDialect(std::string_view name) {
  const auto found = std::ranges::find(kDialects, name, &DialectEntry::name);
  if (found != std::end(kDialects)) return &*found;
  std::string known;
  for (const DialectEntry& entry : kDialects) known += fmt::format(" {}", entry.name);
  return Fail(ErrorKind::kInvalid, fmt::format("no dialect '{}'; there is:{}", name, known));
}

}  // namespace millwright::cli
