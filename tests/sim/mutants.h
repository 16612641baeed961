// Planted bugs: a simulator that finds nothing proves nothing. Each is a
// controller with one mistake, made outside the product's code: in what it
// reads, writes, or asks of the cloud.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "controllers/shared/surroundings.h"
#include "dialects/dialect.h"
#include "net/http.h"
#include "providers/cloud.h"

namespace millwright::sim {

struct Mutant {
  std::string_view name;
  // None: as it is.
  std::unique_ptr<dialects::Dialect> (*dialect)() = nullptr;
  void (*request)(net::HttpRequest& request) = nullptr;
  // `serial` is another one for each call.
  void (*create)(providers::CreateRequest& request, std::uint64_t serial) = nullptr;
  void (*got)(Result<providers::Instance>& answer) = nullptr;
  // What is removed, and the answer to it; returning true means that nobody is
  // asked.
  bool (*remove)(providers::MachineIdentity& machine, Result<void>& answer) = nullptr;
  void (*removed)(Result<void>& answer) = nullptr;
  void (*settings)(controllers::Settings& settings) = nullptr;
  // Only bad luck shows it, so seeds by chance are needed.
  bool needs_chance = false;
  // What must be said of it, besides anything else. Empty: whatever.
  std::string_view found_as = {};
};

std::span<const Mutant> Mutants();      // in Gardener's loops
std::span<const Mutant> CapiMutants();  // in Cluster API's

// Whether these are the words that the bug must be found by.
bool IsFound(const Mutant& mutant, std::span<const std::string> violations);

// The same run without the bug: only with the settings that keep others from cleaning up behind it.
// What fails in it says nothing about the bug.
Mutant WithoutBug(const Mutant& mutant);

}  // namespace millwright::sim
