// What a server that is asked late does to the events of a watch.
#pragma once

#include <string>
#include <string_view>

namespace millwright::sim {

// Of the events of an object only the last, where no bookmark stands between them. What has no end
// yet is kept.
std::string OnlyLastEvents(std::string_view lines);

}  // namespace millwright::sim
