// One condition made of several of the same object.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dialects/capi/records.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::dialects::capi {

// How much a part weighs in what is made of many.
enum class Weight : std::uint8_t { kIssue, kUnknown, kInfo };

Weight WeightOf(Truth status, bool negative);

struct SummaryInput {
  std::string type;
  Weight weight = Weight::kInfo;
  std::string text;  // the message, or what stands for it
};

struct Summary {
  Truth status = Truth::kTrue;
  std::string message;
};

// Any issue makes it false, else anything unknown makes it unknown. One line for each, in the order
// given; what merely informs is told only if all is well.
Summary Summarize(std::span<const SummaryInput> inputs);

// One that is missing is unknown.
SummaryInput InputOf(const Conditions& conditions, std::string_view type, bool negative);

// " message", or below, indented, if it has lines or points of its own.
std::string AfterColon(std::string_view message);

// Ready of a machine whose other conditions are set already.
Shown ShowReady(const MachineRecord& machine, const Conditions& conditions, WallTime now);

}  // namespace millwright::dialects::capi
