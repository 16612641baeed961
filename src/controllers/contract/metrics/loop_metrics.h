// Queues and loops under the names that controller-runtime and Cluster API gave them.
#pragma once

#include <memory>
#include <vector>

#include "kube/runtime/controller_metrics.h"

namespace millwright::controllers::contract {

// Observes controllers from before they run until they are gone, so declare it before them.
class LoopMetrics {
 public:
  LoopMetrics();
  ~LoopMetrics();

  void Observe(Metrics& metrics, kube::Controller& controller);

  // What is only known at the moment of a scrape.
  void BeforeScrape();

 private:
  class Work;
  struct Observed;

  std::vector<Observed> observed_;
};

}  // namespace millwright::controllers::contract
