// Whole texts to gzip and back.
#pragma once

#include <string>
#include <string_view>

namespace millwright::apiserver {

std::string Gzip(std::string_view text);

// Of what Gzip made, so nothing can be wrong with it.
std::string GunzipWhole(std::string_view packed);

}  // namespace millwright::apiserver
