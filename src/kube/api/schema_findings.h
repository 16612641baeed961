// What checking one value found.
#pragma once

#include <iterator>
#include <utility>
#include <vector>

#include "kube/api/schema_error.h"

namespace millwright::kube {

// Enough to read; more would only let a hostile object fill the memory.
inline constexpr std::size_t kMaxFieldErrors = 1'000;

struct Findings {
  std::vector<FieldError> errors;
  // How many checks were passed on the way. Of the alternatives that all failed, the one with the
  // most passed checks is taken to be what the writer meant, and its errors are shown.
  int passed = 0;

  bool ok() const { return errors.empty(); }

  void Add(FieldError error) {
    if (errors.size() < kMaxFieldErrors) errors.push_back(std::move(error));
  }

  void Merge(Findings other) {
    passed += other.passed;
    for (auto& error : other.errors) Add(std::move(error));
  }
};

}  // namespace millwright::kube
