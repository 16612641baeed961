// What people read while a node is drained or its volumes leave. Health summaries look for parts of
// these texts (dialects/capi/status/deletion_delay.h). Pure.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "core/drain/volumes.h"
#include "core/drain/waves.h"

namespace millwright::controllers::contract {

// "a, b, c, ... (2 more)".
std::string FirstOf(std::span<const std::string> names, std::size_t limit);

// Why a pod did not go.
std::string WhyNotEvicted(const Error& error);

// Reasons by pod; each pod of them is in neither list of `waves`.
using Refusals = std::map<std::string, std::string>;

std::string DrainMessage(const core::Waves& waves, const Refusals& refusals, WallTime started);

std::string VolumesMessage(const core::VolumesLeft& left, WallTime started);

}  // namespace millwright::controllers::contract
