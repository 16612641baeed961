#include "cli/dialects.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/capi_controller.h"
#include "cli/cloud_viewer.h"
#include "cli/contract_viewer.h"
#include "cli/gardener_controller.h"
#include "controllers/supply/kinds.h"
#include "dialects/capi/schema.h"
#include "dialects/gardener/gardener.h"
#include "dialects/gardener/schema.h"

namespace millwright::cli {

namespace {

// With our own kinds that keep the contracts.
std::vector<boost::json::object> CapiCrds() {
  std::vector<boost::json::object> crds = dialects::capi::Crds();
  std::ranges::move(controllers::supply::Crds(), std::back_inserter(crds));
  return crds;
}

std::vector<boost::json::object> CapiWebhooks(const admission::WebhookPlace& place) {
  std::vector<boost::json::object> objects;
  for (boost::json::object& crd : dialects::capi::Crds()) {
    objects.push_back(admission::WithConversion(std::move(crd), place));
  }
  std::ranges::move(controllers::supply::Crds(), std::back_inserter(objects));
  std::ranges::move(admission::CapiWebhookConfigurations(place), std::back_inserter(objects));
  return objects;
}

std::unique_ptr<Viewer> ViewGardener() {
  return MakeCloudViewer(dialects::gardener::MakeGardenerDialect());
}

constexpr DialectEntry kDialects[] = {
    {"gardener", dialects::gardener::MakeGardenerDialect, ViewGardener, dialects::gardener::Crds,
     nullptr, kGardenerController},
    {"cluster-api", nullptr, MakeContractViewer, CapiCrds, CapiWebhooks, kCapiController},
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
