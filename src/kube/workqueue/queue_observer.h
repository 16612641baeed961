// What a work queue tells about itself; metrics are made from it.
#pragma once

#include <cstddef>

#include "base/time.h"

namespace millwright::kube {

class QueueObserver {
 public:
  virtual ~QueueObserver() = default;

  virtual void OnAdd(std::size_t depth) = 0;
  virtual void OnGet(std::size_t depth, Duration waited) = 0;
  virtual void OnDone(Duration worked) = 0;
  virtual void OnRetry() = 0;
};

}  // namespace millwright::kube
