// Marks on nodes during a rollout: the scheduler should rather avoid those that will go, and a
// scaler should leave all of them alone.
#pragma once

#include <string>
#include <vector>

#include "controllers/shared/caches.h"
#include "controllers/shared/node_writer.h"
#include "core/stepwise/plan.h"

namespace millwright::controllers {

class NodeMarker {
 public:
  NodeMarker(Surroundings& surroundings, Caches& caches);

  // Brings the nodes of these sets in line, `current` of which is the current one (may be empty). A
  // node that cannot be written holds up nobody; false says that some are to be tried again.
  Task<bool> Mark(const std::vector<dialects::SetRecord>& sets, std::string current,
                  core::stepwise::NodeMarks marks);

 private:
  NodeChange Change(const dialects::NodeRecord& node, bool avoid, bool hold, bool kept) const;

  Surroundings& surroundings_;
  Caches& caches_;
  Logger log_;
};

}  // namespace millwright::controllers
