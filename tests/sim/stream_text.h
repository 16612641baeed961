// What a network or a server does to the lines of a watch.
#pragma once

#include <string>
#include <string_view>

namespace millwright::sim {

// Every whole line twice; what is left over waits in `tail` for its end.
std::string EachLineTwice(const std::string& piece, std::string& tail);

// Of the events of an object only the last, where no bookmark stands between them. What has no end
// yet is kept.
std::string OnlyLastEvents(std::string_view lines);

}  // namespace millwright::sim
