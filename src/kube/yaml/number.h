// Floating-point numbers as Go writes them.
#pragma once

#include <string>

#include <boost/json/value.hpp>

namespace millwright::kube::yaml {

// FormatFloat(number, 'g', -1, ...) with YAML's spelling of what is not finite: 0.5, 1e+21, -.inf
std::string FloatText(double number);
std::string FloatText(float number);

// The number as it comes out of encoding/json and is read again: whole numbers are integers.
boost::json::value NumberValue(double number);

}  // namespace millwright::kube::yaml
