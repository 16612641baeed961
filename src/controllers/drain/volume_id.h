// How nodes name an attached volume, as far as its PersistentVolume tells.
#pragma once

#include <string>

#include <boost/json/value.hpp>

namespace millwright::controllers {

// A text that is part of the volume's name in a node's status.volumesAttached; empty for volumes
// that are never attached, or of which we cannot tell. For clouds that do not answer themselves.
std::string VolumeIdFromSpec(const boost::json::value& spec);

}  // namespace millwright::controllers
