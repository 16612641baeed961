// Names as values of labels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millwright::dialects::capi {

// FNV-1a of 32 bits.
std::uint32_t Fnv1a(std::string_view text);

// The name itself if a label can have it, else a short text that stands for it.
std::string LabelValueOf(std::string_view name);

}  // namespace millwright::dialects::capi
