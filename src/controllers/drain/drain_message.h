// A drain in one line, for people.
#pragma once

#include <span>
#include <string>

namespace millwright::controllers {

struct PodTrouble {
  std::string key;
  std::string why;

  friend bool operator==(const PodTrouble&, const PodTrouble&) = default;
};

// "3 pods left; default/web-1: ..."; a long list is cut short. Empty if there is nothing to say.
std::string DescribeDrain(std::size_t pods_left, std::span<const PodTrouble> troubles);

}  // namespace millwright::controllers
