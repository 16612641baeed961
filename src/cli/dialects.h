// The dialects that this program speaks: one line each.
#pragma once

#include <boost/json/object.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "admission/capi_webhooks.h"
#include "base/result.h"
#include "cli/controller_plan.h"
#include "cli/viewer.h"
#include "dialects/dialect.h"

namespace millwright::cli {

struct DialectEntry {
  std::string_view name;
  // Null for a dialect whose machines come from contract objects: its loops are others.
  std::unique_ptr<dialects::Dialect> (*make)();
  std::unique_ptr<Viewer> (*view)();
  std::vector<boost::json::object> (*crds)();
  // The same as seen by a server that reaches our webhooks there, with what sends it to them. Null:
  // this dialect has none.
  std::vector<boost::json::object> (*webhooks)(const admission::WebhookPlace& place);
  ControllerEntry controller;

  bool on_contracts() const { return make == nullptr; }
};

std::span<const DialectEntry> Dialects();

// kInvalid, naming those there are.
Result<const DialectEntry*> FindDialect(std::string_view name);

}  // namespace millwright::cli
